import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { groundFolder, layGround, layTables } from '../../../scripts/lib/ground.ts'
import { filesIn } from '../../support/secrets.ts'

const root = new URL('../../..', import.meta.url).pathname
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'porchlight-ground-'))
  layGround(root)
})
afterEach(() => rmSync(data, { recursive: true }))

const database = (): string =>
  filesIn(join(data, 'state/provider/v3/d1')).find(
    (file) => file.endsWith('.sqlite') && !file.endsWith('metadata.sqlite'),
  ) ?? ''

test('a data folder without tables gets the tables of all migrations', () => {
  layTables(root, data)
  const db = new DatabaseSync(database())
  expect(db.prepare('SELECT count(*) AS n FROM accounts').get()).toEqual({ n: 0 })
  db.close()
  expect(readFileSync(join(data, 'migrated'), 'utf8')).toBe(readFileSync(join(groundFolder(root), 'migrated'), 'utf8'))
})

test('a data folder with tables keeps their content', () => {
  layTables(root, data)
  const backup = join(data, 'kept.sqlite')
  const db = new DatabaseSync(database())
  db.exec("INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES ('u1', 'a@example.com', '-', 0)")
  db.exec(`VACUUM INTO '${backup}'`)
  db.close()
  copyFileSync(backup, database())
  layTables(root, data)
  const again = new DatabaseSync(database())
  expect(again.prepare('SELECT email FROM accounts').all()).toEqual([{ email: 'a@example.com' }])
  again.close()
})
