/*M!999999\- enable the sandbox mode */ 

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `kegbot` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci */;

USE kegbot;
DROP TABLE IF EXISTS core_beverage;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_beverage (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  beverage_type varchar(32) NOT NULL,
  style varchar(255) DEFAULT NULL,
  description longtext DEFAULT NULL,
  vintage_year date DEFAULT NULL,
  abv_percent double DEFAULT NULL,
  calories_per_ml double DEFAULT NULL,
  carbs_per_ml double DEFAULT NULL,
  color_hex varchar(16) NOT NULL,
  original_gravity double DEFAULT NULL,
  specific_gravity double DEFAULT NULL,
  srm double DEFAULT NULL,
  ibu double DEFAULT NULL,
  star_rating double DEFAULT NULL,
  untappd_beer_id int(11) DEFAULT NULL,
  beverage_backend varchar(255) DEFAULT NULL,
  beverage_backend_id varchar(255) DEFAULT NULL,
  picture_id int(11) DEFAULT NULL,
  producer_id int(11) NOT NULL,
  PRIMARY KEY (`id`),
  KEY core_beverage_producer (producer_id),
  CONSTRAINT core_beverage_producer FOREIGN KEY (producer_id) REFERENCES core_beverageproducer (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_beverage WRITE;
/*!40000 ALTER TABLE core_beverage DISABLE KEYS */;
INSERT INTO core_beverage (id, name, beverage_type, style, description, vintage_year, abv_percent, calories_per_ml, carbs_per_ml, color_hex, original_gravity, specific_gravity, srm, ibu, star_rating, untappd_beer_id, beverage_backend, beverage_backend_id, picture_id, producer_id) VALUES (9,'Haus Helles','beer','Helles','It\'s -- no comment /* at all */ # here','2014-01-01',4.9,0.43,0.00001,'#C35900',1.048,1.01,5.5,18,4.5,12345,NULL,NULL,NULL,3);
INSERT INTO core_beverage (id, name, beverage_type, style, description, vintage_year, abv_percent, calories_per_ml, carbs_per_ml, color_hex, original_gravity, specific_gravity, srm, ibu, star_rating, untappd_beer_id, beverage_backend, beverage_backend_id, picture_id, producer_id) VALUES (10,'Cola','soda',NULL,NULL,NULL,NULL,NULL,NULL,'#000',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,4);
/*!40000 ALTER TABLE core_beverage ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_beverageproducer;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_beverageproducer (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  country varchar(3) NOT NULL,
  origin_state varchar(128) DEFAULT NULL,
  origin_city varchar(128) DEFAULT NULL,
  is_homebrew tinyint(1) NOT NULL,
  url varchar(200) DEFAULT NULL,
  description longtext DEFAULT NULL,
  beverage_backend varchar(255) DEFAULT NULL,
  beverage_backend_id varchar(255) DEFAULT NULL,
  picture_id int(11) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_beverageproducer WRITE;
/*!40000 ALTER TABLE core_beverageproducer DISABLE KEYS */;
INSERT INTO core_beverageproducer (id, name, country, origin_state, origin_city, is_homebrew, url, description, beverage_backend, beverage_backend_id, picture_id) VALUES (3,'Hausbrauerei; Söhne','DEU','','Bamberg',0,'https://haus.example/','Line one\nline two	tab',NULL,NULL,NULL);
INSERT INTO core_beverageproducer (id, name, country, origin_state, origin_city, is_homebrew, url, description, beverage_backend, beverage_backend_id, picture_id) VALUES (4,'Limo (GmbH)','XXX',NULL,NULL,1,'no address',NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE core_beverageproducer ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_drink;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_drink (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  ticks int(10) unsigned NOT NULL,
  volume_ml double NOT NULL,
  `time` datetime(6) NOT NULL,
  duration int(10) unsigned NOT NULL,
  shout longtext DEFAULT NULL,
  tick_time_series longtext DEFAULT NULL,
  keg_id int(11) NOT NULL,
  picture_id int(11) DEFAULT NULL,
  session_id int(11) DEFAULT NULL,
  user_id int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY picture_id (picture_id),
  KEY core_drink_keg (keg_id),
  KEY core_drink_user (user_id),
  CONSTRAINT core_drink_keg FOREIGN KEY (keg_id) REFERENCES core_keg (`id`),
  CONSTRAINT core_drink_user FOREIGN KEY (user_id) REFERENCES core_user (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=231 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_drink WRITE;
/*!40000 ALTER TABLE core_drink DISABLE KEYS */;
INSERT INTO core_drink (id, ticks, volume_ml, time, duration, shout, tick_time_series, keg_id, picture_id, session_id, user_id) VALUES (1,1,100.333333333,'2014-05-05 18:10:00.500000',1,'','0:1 ',1,NULL,1,2);
INSERT INTO core_drink (id, ticks, volume_ml, time, duration, shout, tick_time_series, keg_id, picture_id, session_id, user_id) VALUES (2,2,100.666666666,'2014-05-05 18:20:00.500000',2,'It\'s \\ \"good\"\n(very); INSERT INTO core_drink VALUES (1)','0:1 0:1 ',1,NULL,1,2);
INSERT INTO core_drink (id, ticks, volume_ml, time, duration, shout, tick_time_series, keg_id, picture_id, session_id, user_id) VALUES (3,3,101,'2014-05-05 18:30:00.500000',3,'\');\n-- drop','0:1 0:1 0:1 ',1,NULL,1,1);
/*!40000 ALTER TABLE core_drink ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_keg;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_keg (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  keg_type varchar(32) NOT NULL,
  served_volume_ml double NOT NULL,
  full_volume_ml double NOT NULL,
  start_time datetime(6) NOT NULL,
  end_time datetime(6) NOT NULL,
  description longtext DEFAULT NULL,
  spilled_ml double NOT NULL,
  notes longtext DEFAULT NULL,
  type_id int(11) NOT NULL,
  `status` varchar(32) NOT NULL,
  PRIMARY KEY (`id`),
  KEY core_keg_type (type_id),
  CONSTRAINT core_keg_type FOREIGN KEY (type_id) REFERENCES core_beverage (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_keg WRITE;
/*!40000 ALTER TABLE core_keg DISABLE KEYS */;
INSERT INTO core_keg (id, keg_type, served_volume_ml, full_volume_ml, start_time, end_time, description, spilled_ml, notes, type_id, status) VALUES (1,'euro-half',1000,50000,'2014-05-01 10:00:00.000000','2014-05-20 00:00:00.000000','First keg',400.5,'cold\r\nroom',9,'finished');
/*!40000 ALTER TABLE core_keg ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_kegbotsite;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_kegbotsite (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL,
  server_version varchar(64) DEFAULT NULL,
  is_setup tinyint(1) NOT NULL,
  registration_id longtext NOT NULL,
  title varchar(64) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_kegbotsite WRITE;
/*!40000 ALTER TABLE core_kegbotsite DISABLE KEYS */;
INSERT INTO core_kegbotsite (id, name, server_version, is_setup, registration_id, title) VALUES (1,'default','1.2.3',1,'KB-1234-ABCD','Old bar');
/*!40000 ALTER TABLE core_kegbotsite ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_kegtap;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_kegtap (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(128) NOT NULL,
  notes longtext DEFAULT NULL,
  sort_order int(10) unsigned NOT NULL,
  current_keg_id int(11) DEFAULT NULL,
  temperature_sensor_id int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY current_keg_id (current_keg_id),
  CONSTRAINT core_kegtap_keg FOREIGN KEY (current_keg_id) REFERENCES core_keg (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_kegtap WRITE;
/*!40000 ALTER TABLE core_kegtap DISABLE KEYS */;
/*!40000 ALTER TABLE core_kegtap ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_stats;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_stats (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `time` datetime(6) NOT NULL,
  stats longtext NOT NULL,
  is_first tinyint(1) NOT NULL,
  drink_id int(11) NOT NULL,
  thumbnail longblob DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=256 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_stats WRITE;
/*!40000 ALTER TABLE core_stats DISABLE KEYS */;
INSERT INTO core_stats (id, time, stats, is_first, drink_id, thumbnail) VALUES (1,'2014-05-05 18:00:00.000000','{\"volume_by_day\": {\"1\": 1}, \"text\": \"a\\\\\\\"b; \'c\'\"}',0,1,0x00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B);
INSERT INTO core_stats (id, time, stats, is_first, drink_id, thumbnail) VALUES (2,'2014-05-05 18:00:00.000000','{\"volume_by_day\": {\"1\": 2}, \"text\": \"a\\\\\\\"b; \'c\'\"}',0,2,0x00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B00275C5C3B);
/*!40000 ALTER TABLE core_stats ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS core_user;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE core_user (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `password` varchar(128) NOT NULL,
  last_login datetime(6) NOT NULL,
  is_superuser tinyint(1) NOT NULL,
  username varchar(30) NOT NULL,
  display_name varchar(127) NOT NULL,
  email varchar(75) NOT NULL,
  is_staff tinyint(1) NOT NULL,
  is_active tinyint(1) NOT NULL,
  date_joined datetime(6) NOT NULL,
  activation_key varchar(128) DEFAULT NULL,
  mugshot_id int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY username (username)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES core_user WRITE;
/*!40000 ALTER TABLE core_user DISABLE KEYS */;
INSERT INTO core_user (id, password, last_login, is_superuser, username, display_name, email, is_staff, is_active, date_joined, activation_key, mugshot_id) VALUES (1,'','2014-05-01 00:00:00.000000',0,'guest','guest','',0,1,'2014-05-01 00:00:00.000000',NULL,NULL);
INSERT INTO core_user (id, password, last_login, is_superuser, username, display_name, email, is_staff, is_active, date_joined, activation_key, mugshot_id) VALUES (2,'pbkdf2_sha256$12000$salt$c2VjcmV0','2014-06-01 00:00:00.000000',1,'anna','Anna O\'Hara \\ \"Änne\" 🍺','anna@example.com',1,1,'2014-05-01 12:00:00.250000',NULL,NULL);
/*!40000 ALTER TABLE core_user ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

