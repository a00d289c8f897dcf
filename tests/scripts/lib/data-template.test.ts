import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getTemplateFolder, buildTemplate, prepareDatabase } from '../../../scripts/lib/data-template.ts'
import { listFiles } from '../../support/secrets.ts'

const root = new URL('../../..', import.meta.url).pathname
let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-ground-'))
  buildTemplate(root)
})
afterEach(() => rmSync(dataFolder, { recursive: true }))

const findDatabaseFile = (): string =>
  listFiles(join(dataFolder, 'state/provider/v3/d1')).find(
    (file) => file.endsWith('.sqlite') && !file.endsWith('metadata.sqlite'),
  ) ?? ''

test('a data folder without tables gets the tables of all migrations', () => {
  prepareDatabase(root, dataFolder)
  const db = new DatabaseSync(findDatabaseFile())
  expect(db.prepare('SELECT count(*) AS n FROM accounts').get()).toEqual({ n: 0 })
  db.close()
  expect(readFileSync(join(dataFolder, 'migrated'), 'utf8')).toBe(
    readFileSync(join(getTemplateFolder(root), 'migrated'), 'utf8'),
  )
})

test('a data folder with tables keeps their content', () => {
  prepareDatabase(root, dataFolder)
  const backup = join(dataFolder, 'kept.sqlite')
  const db = new DatabaseSync(findDatabaseFile())
  db.exec("INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES ('u1', 'a@example.com', '-', 0)")
  db.exec(`VACUUM INTO '${backup}'`)
  db.close()
  copyFileSync(backup, findDatabaseFile())
  prepareDatabase(root, dataFolder)
  const again = new DatabaseSync(findDatabaseFile())
  expect(again.prepare('SELECT email FROM accounts').all()).toEqual([{ email: 'a@example.com' }])
  again.close()
})
