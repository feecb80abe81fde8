-- The tables of Kegbot 1.2 that matter, as Django creates them in MySQL (migrations 0001_initial and 0002_version_1_2).
CREATE TABLE core_user (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  password varchar(128) NOT NULL,
  last_login datetime(6) NOT NULL,
  is_superuser bool NOT NULL,
  username varchar(30) NOT NULL UNIQUE,
  display_name varchar(127) NOT NULL,
  email varchar(75) NOT NULL,
  is_staff bool NOT NULL,
  is_active bool NOT NULL,
  date_joined datetime(6) NOT NULL,
  activation_key varchar(128) NULL,
  mugshot_id integer NULL
) CHARACTER SET utf8mb4;
CREATE TABLE core_beverageproducer (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  name varchar(255) NOT NULL,
  country varchar(3) NOT NULL,
  origin_state varchar(128) NULL,
  origin_city varchar(128) NULL,
  is_homebrew bool NOT NULL,
  url varchar(200) NULL,
  description longtext NULL,
  beverage_backend varchar(255) NULL,
  beverage_backend_id varchar(255) NULL,
  picture_id integer NULL
) CHARACTER SET utf8mb4;
CREATE TABLE core_beverage (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  name varchar(255) NOT NULL,
  beverage_type varchar(32) NOT NULL,
  style varchar(255) NULL,
  description longtext NULL,
  vintage_year date NULL,
  abv_percent double precision NULL,
  calories_per_ml double precision NULL,
  carbs_per_ml double precision NULL,
  color_hex varchar(16) NOT NULL,
  original_gravity double precision NULL,
  specific_gravity double precision NULL,
  srm double precision NULL,
  ibu double precision NULL,
  star_rating double precision NULL,
  untappd_beer_id integer NULL,
  beverage_backend varchar(255) NULL,
  beverage_backend_id varchar(255) NULL,
  picture_id integer NULL,
  producer_id integer NOT NULL,
  CONSTRAINT core_beverage_producer FOREIGN KEY (producer_id) REFERENCES core_beverageproducer (id)
) CHARACTER SET utf8mb4;
CREATE TABLE core_keg (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  keg_type varchar(32) NOT NULL,
  served_volume_ml double precision NOT NULL,
  full_volume_ml double precision NOT NULL,
  start_time datetime(6) NOT NULL,
  end_time datetime(6) NOT NULL,
  description longtext NULL,
  spilled_ml double precision NOT NULL,
  notes longtext NULL,
  type_id integer NOT NULL,
  status varchar(32) NOT NULL,
  CONSTRAINT core_keg_type FOREIGN KEY (type_id) REFERENCES core_beverage (id)
) CHARACTER SET utf8mb4;
CREATE TABLE core_kegtap (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  name varchar(128) NOT NULL,
  notes longtext NULL,
  sort_order integer UNSIGNED NOT NULL,
  current_keg_id integer NULL UNIQUE,
  temperature_sensor_id integer NULL,
  CONSTRAINT core_kegtap_keg FOREIGN KEY (current_keg_id) REFERENCES core_keg (id)
) CHARACTER SET utf8mb4;
CREATE TABLE core_kegbotsite (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  name varchar(64) NOT NULL UNIQUE,
  server_version varchar(64) NULL,
  is_setup bool NOT NULL,
  registration_id longtext NOT NULL,
  title varchar(64) NOT NULL
) CHARACTER SET utf8mb4;
CREATE TABLE core_drink (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  ticks integer UNSIGNED NOT NULL,
  volume_ml double precision NOT NULL,
  time datetime(6) NOT NULL,
  duration integer UNSIGNED NOT NULL,
  shout longtext NULL,
  tick_time_series longtext NULL,
  keg_id integer NOT NULL,
  picture_id integer NULL UNIQUE,
  session_id integer NULL,
  user_id integer NOT NULL,
  CONSTRAINT core_drink_keg FOREIGN KEY (keg_id) REFERENCES core_keg (id),
  CONSTRAINT core_drink_user FOREIGN KEY (user_id) REFERENCES core_user (id)
) CHARACTER SET utf8mb4;
CREATE TABLE core_stats (
  id integer AUTO_INCREMENT NOT NULL PRIMARY KEY,
  time datetime(6) NOT NULL,
  stats longtext NOT NULL,
  is_first bool NOT NULL,
  drink_id integer NOT NULL,
  thumbnail longblob NULL
) CHARACTER SET utf8mb4;
