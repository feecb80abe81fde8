SET NAMES utf8mb4;
INSERT INTO core_user VALUES
  (1, '', '2014-05-01 00:00:00', 0, 'guest', 'guest', '', 0, 1, '2014-05-01 00:00:00', NULL, NULL),
  (2, 'pbkdf2_sha256$12000$salt$c2VjcmV0', '2014-06-01 00:00:00', 1, 'anna', 'Anna O''Hara \\ "Änne" 🍺', 'anna@example.com', 1, 1, '2014-05-01 12:00:00.250000', NULL, NULL),
  (3, '!', '2014-06-01 00:00:00', 0, 'bernd', '', 'not an address', 0, 0, '2014-05-02 12:00:00', NULL, NULL);
INSERT INTO core_beverageproducer VALUES
  (3, 'Hausbrauerei; Söhne', 'DEU', '', 'Bamberg', 0, 'https://haus.example/', 'Line one\nline two\ttab', NULL, NULL, NULL),
  (4, 'Limo (GmbH)', 'XXX', NULL, NULL, 1, 'no address', NULL, NULL, NULL, NULL);
INSERT INTO core_beverage VALUES
  (9, 'Haus Helles', 'beer', 'Helles', 'It''s -- no comment /* at all */ # here', '2014-01-01', 4.9, 0.43, 1e-05, '#C35900', 1.048, 1.01, 5.5, 18, 4.5, 12345, NULL, NULL, NULL, 3),
  (10, 'Cola', 'soda', NULL, NULL, NULL, NULL, NULL, NULL, '#000', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4);
INSERT INTO core_keg VALUES
  (1, 'euro-half', 1000, 50000, '2014-05-01 10:00:00', '2014-05-20 00:00:00', 'First keg', 400.5, 'cold\r\nroom', 9, 'finished'),
  (2, 'corny', 1000, 18927.1, '2014-05-20 00:00:00', '2014-05-20 00:00:00', NULL, 0, NULL, 9, 'on_tap'),
  (3, 'mini', 0, 5000, '2014-05-20 00:00:00', '2014-05-20 00:00:00', '', 0, '', 10, 'available');
INSERT INTO core_kegtap VALUES (1, 'Left', NULL, 0, 2, NULL), (2, 'Right', '', 1, NULL, NULL);
INSERT INTO core_kegbotsite VALUES (1, 'default', '1.2.3', 1, 'KB-1234-ABCD', 'Old bar');
INSERT INTO core_drink (id, ticks, volume_ml, time, duration, shout, tick_time_series, keg_id, session_id, user_id)
  SELECT seq, seq, 100 + seq / 3, '2014-05-05 18:00:00.500000' + INTERVAL seq * 10 MINUTE, seq MOD 30,
    ELT(1 + seq MOD 6, NULL, '', 'It''s \\ "good"\n(very); INSERT INTO core_drink VALUES (1)', ''');\n-- drop', 'Prost 🍺 ''''', '\0\Z%_'),
    REPEAT('0:1 ', seq MOD 50), IF(seq <= 100, 1, 2), 1, 1 + seq MOD 3
  FROM seq_1_to_230;
INSERT INTO core_stats (time, stats, is_first, drink_id, thumbnail)
  SELECT NOW(6), CONCAT('{"volume_by_day": {"1": ', seq, '}, "text": "a\\\\\\"b; ''c''"}'), 0, seq, UNHEX(REPEAT('00275C5C3B', 40))
  FROM seq_1_to_230;
