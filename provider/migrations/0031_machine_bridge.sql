-- 1: enrolled by `npm start` on the machine that the provider runs on, for every home there.
ALTER TABLE bridges ADD COLUMN machine INTEGER NOT NULL DEFAULT 0;
-- 1: its owner began to add a camera, and the bridge of this machine serves it from then on, however that is enrolled again.
ALTER TABLE bridge_homes ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0;
