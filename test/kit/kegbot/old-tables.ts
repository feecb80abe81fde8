import { beverages, drink, kegs, type OldBar } from '../kegbot-server.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;
/** Rows by table; the first row of a table names its columns. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

const toUtc = (time: string): string => new Date(time).toISOString().replace('T', ' ').replace('Z', '000');

/** The tables in the database of the server that `startKegbot` plays. */
export function tablesOf(bar: OldBar): Tables {
  const users = [{ username: 'guest' }, ...bar.users].map((user, index) => ({
    id: index + 1,
    password: 'pbkdf2_sha256$12000$salt$c2VjcmV0',
    is_superuser: false,
    username: user.username,
    display_name: 'display_name' in user ? (user.display_name ?? '') : '',
    email: '',
    is_staff: 'is_staff' in user && user.is_staff === true,
    is_active: true,
    date_joined: '2023-01-01 00:00:00.000000',
  }));
  const userIds = new Map(users.map(({ username, id }) => [username, id]));
  const producers = new Map(beverages.map(({ producer }) => [producer.id, producer]));
  return {
    core_beverage: beverages.map((beverage) => ({
      id: beverage.id,
      name: beverage.name,
      beverage_type: beverage.beverage_type,
      style: beverage.style,
      abv_percent: 'abv_percent' in beverage ? (beverage.abv_percent ?? null) : null,
      color_hex: beverage.color_hex,
      ibu: 'ibu' in beverage ? (beverage.ibu ?? null) : null,
      producer_id: beverage.producer.id,
    })),
    core_beverageproducer: [...producers.values()].map((producer) => ({
      id: producer.id,
      name: producer.name,
      country: 'country' in producer ? producer.country : 'USA',
      origin_state: '',
      origin_city: 'origin_city' in producer ? producer.origin_city : '',
      is_homebrew: false,
      url: 'url' in producer ? producer.url : '',
      description: null,
    })),
    core_drink: Array.from({ length: bar.drinks }, (_, index) => {
      const { id, ticks, volume_ml, time, duration, username, keg, shout } = drink(index + 1, bar);
      return {
        id,
        ticks,
        volume_ml,
        time: toUtc(time),
        duration,
        shout,
        tick_time_series: null,
        keg_id: keg.id,
        session_id: 1,
        user_id: userIds.get(username)!,
      };
    }),
    core_keg: kegs.map((keg) => ({
      id: keg.id,
      keg_type: keg.keg_type,
      served_volume_ml: 0,
      full_volume_ml: keg.full_volume_ml,
      start_time: toUtc(keg.start_time),
      end_time: toUtc(keg.end_time),
      description: null,
      spilled_ml: keg.spilled_ml,
      notes: 'notes' in keg ? (keg.notes ?? null) : null,
      type_id: keg.beverage.id,
      status: keg.status,
    })),
    core_kegbotsite: [{ id: 1, name: 'default', registration_id: 'KB-12AB-34CD', title: 'Old bar' }],
    core_kegtap: [{ id: 1, name: 'Left', current_keg_id: 2 }],
    core_stats: [{ id: 1, stats: '{"volume": {"a": "b\'; -- c"}}', drink_id: 1 }],
    core_user: users,
  };
}

const mysqlEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
};

/** As `mysqldump` writes a value; texts of old programs double the quote. */
export function mysqlValue(value: Cell, doublesQuotes = false): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  const escaped = [...value].map((character) =>
    character === "'" && doublesQuotes ? "''" : (mysqlEscapes[character] ?? character),
  );
  return `'${escaped.join('')}'`;
}

/** A dump in the form of `mysqldump` of MySQL 8. */
export function mysqlDump(tables: Tables): string {
  const parts = Object.entries(tables).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).map((column) => `  \`${column}\` text,\n`);
    const values = rows.map(
      (row) =>
        `(${Object.values(row)
          .map((value) => mysqlValue(value))
          .join(',')})`,
    );
    const insert = rows.length === 0 ? '' : `INSERT INTO \`${table}\` VALUES ${values.join(',')};\n`;
    return `
--
-- Table structure for table \`${table}\`
--

DROP TABLE IF EXISTS \`${table}\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE \`${table}\` (
${columns.join('')}  PRIMARY KEY (\`id\`),
  KEY \`some_key\` (\`id\`,\`id\`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='it''s ); a table';
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES \`${table}\` WRITE;
/*!40000 ALTER TABLE \`${table}\` DISABLE KEYS */;
${insert}/*!40000 ALTER TABLE \`${table}\` ENABLE KEYS */;
UNLOCK TABLES;
`;
  });
  return `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: kegbot
-- ------------------------------------------------------
-- Server version\t8.0.36

/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
${parts.join('')}/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

-- Dump completed
`;
}

const copyEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A dump in the form of `pg_dump`. */
export function postgresDump(tables: Tables): string {
  const copyValue = (value: Cell): string => {
    if (value === null) return '\\N';
    if (typeof value === 'boolean') return value ? 't' : 'f';
    const text = String(value).replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.0+)?$/, '$1+00');
    return text.replaceAll(/[\\\t\n\r]/g, (character) => copyEscapes[character]!);
  };
  const parts = Object.entries(tables).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    const lines = rows.map((row) => `${Object.values(row).map(copyValue).join('\t')}\n`);
    return `CREATE TABLE public.${table} (\n    id integer NOT NULL\n);\n\nCOPY public.${table} (${columns}) FROM stdin;\n${lines.join('')}\\.\n\n`;
  });
  return `--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
COMMENT ON DATABASE kegbot IS 'a backslash \\';

${parts.join('')}--
-- PostgreSQL database dump complete
--
`;
}

/** The files of `tables/` in a backup of Kegbot 1.1, whose references have no `_id` and whose kegs have no status. */
export function fixtures(tables: Tables): Record<string, string> {
  const files = Object.entries(tables).map(([table, rows]) => {
    const records = rows.map(({ id, status, ...row }) => {
      const fields = Object.entries(row).map(([column, value]) => [
        column.replace(/_id$/, ''),
        toFixture(value),
      ]);
      const states =
        table === 'core_keg' ? { online: status === 'on_tap', finished: status === 'finished' } : {};
      const registration = table === 'core_kegbotsite' ? { registration_id: row.registration_id } : {};
      return {
        pk: id,
        model: table.replace('_', '.'),
        fields: { ...Object.fromEntries(fields), ...states, ...registration },
      };
    });
    return [`tables/${table}.json`, JSON.stringify(records, null, 2)];
  });
  return Object.fromEntries(files) as Record<string, string>;
}

const toFixture = (value: Cell): Cell =>
  typeof value === 'string'
    ? value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\.(\d{3})\d+$/, '$1T$2.$3Z')
    : value;
