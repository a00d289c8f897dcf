import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readStartTime } from '../../../scripts/lib/process-group.ts'
import { readEnvironment } from '../../../scripts/lib/secrets-file.ts'
import {
  backUp,
  createTestFolder,
  digestFolder,
  listFiles,
  PASSPHRASE,
  readRows,
  restore,
  unpackDataFolder,
} from '../../support/backups.ts'
import { selectByTestTier } from '../../support/tier.ts'

const D1 = 'state/provider/v3/d1/miniflare-D1DatabaseObject'
const OBJECTS = 'state/provider/v3/do'

let source: string
let original: string
let backup: string
beforeAll(async () => {
  source = createTestFolder()
  original = join(source, 'data')
  backup = join(source, 'home.backup')
  unpackDataFolder(original)
  await backUp(original, backup)
})
afterAll(() => rmSync(source, { recursive: true }))

let folder: string
let data: string
beforeEach(() => {
  folder = createTestFolder()
  data = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true }))

const listDatabases = (path: string) =>
  listFiles(path).filter((name) => name.endsWith('.sqlite') && !name.startsWith('state/portal/'))
const findDatabase = (path: string, within: string) =>
  join(path, within, readdirSync(join(path, within)).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)) ?? '')
const listAllRows = (path: string, changed: readonly string[]) =>
  listDatabases(path)
    .filter((name) => !name.includes('/cache/') && !changed.some((part) => name.includes(part)))
    .map((name) => [name, readRows(join(path, name))])

describe('a restored backup', () => {
  let data: string
  beforeAll(async () => {
    data = join(source, 'restored')
    await restore(backup, data)
  })

  test('contains every row of every database', () => {
    const changed = [D1, 'Ledger', 'EmbeddedGateway', '/r2/']
    expect(listAllRows(data, changed)).toEqual(listAllRows(original, changed))
    expect(listAllRows(data, changed).length).toBeGreaterThan(10)
    const [before, after] = [original, data].map((path) => readRows(findDatabase(path, D1)))
    for (const table of ['accounts', 'homes', 'subscriptions', 'shares'])
      expect(after?.[table]).toEqual(before?.[table])
  })

  test('keeps the identity of the hub, and the key that decrypts two-step verification', () => {
    for (const name of ['bridge.key', 'sealing.key', 'cameras.secret'])
      expect(readFileSync(join(data, name))).toEqual(readFileSync(join(original, name)))
    const [before, after] = [original, data].map((path) => readEnvironment(join(path, 'secrets.env')))
    expect(after?.['FACTOR_KEY']).toBe(before?.['FACTOR_KEY'])
  })

  test('signs no one in: has no tokens and sessions, and new keys for cookies, tokens and media', () => {
    expect(readRows(findDatabase(data, D1))).toMatchObject({ oidc: [], password_links: [], bridge_codes: [] })
    expect(existsSync(join(data, 'state/portal'))).toBe(false)
    const [before, after] = [original, data].map((path) => readEnvironment(join(path, 'secrets.env')))
    for (const name of ['COOKIE_KEY', 'PROVIDER_COOKIE_KEY', 'PROVIDER_JWKS', 'MEDIA_KEY', 'ADMIN_KEY'])
      expect(after?.[name]).not.toBe(before?.[name])
  })

  test('puts every ledger on hold', () => {
    const names = readdirSync(join(data, OBJECTS, 'porchlight-provider-Ledger')).filter((name) => name.length > 60)
    expect(names.length).toBeGreaterThan(3)
    for (const name of names.filter((file) => file.endsWith('.sqlite')))
      expect(readRows(join(data, OBJECTS, 'porchlight-provider-Ledger', name))['counters']).toContain(
        '{"name":"held","value":1}',
      )
  })
})

describe('a backup', () => {
  test('contains no secret in plain text', () => {
    const text = readFileSync(backup, 'latin1')
    const secrets = Object.values(readEnvironment(join(original, 'secrets.env')))
    const key = (JSON.parse(readFileSync(join(original, 'bridge.key'), 'utf8')) as { key: string }).key
    expect([...secrets, key, PASSPHRASE].filter((secret) => secret !== undefined && text.includes(secret))).toEqual([])
  })

  test('contains recordings only if they are requested', async () => {
    mkdirSync(join(data, 'queue', 'recording'), { recursive: true })
    cpSync(original, data, { recursive: true })
    writeFileSync(join(data, 'queue', 'ev1.json'), '{}')
    mkdirSync(join(data, 'tls'))
    writeFileSync(join(data, 'tls', 'ca.key'), 'secret of the test')
    writeFileSync(join(data, 'queue', 'recording', 'ev2.part'), '{}')
    writeFileSync(join(data, '.a file~'), 'of another program')
    await backUp(data, join(folder, 'all.backup'), true)
    await restore(join(folder, 'all.backup'), join(folder, 'all'))
    expect(readFileSync(join(folder, 'all', '.a file~'), 'utf8')).toBe('of another program')
    expect(readFileSync(join(folder, 'all.backup'), 'latin1')).not.toContain('secret of the test')
    expect(readFileSync(join(folder, 'all', 'tls', 'ca.key'), 'utf8')).toBe('secret of the test')
    expect(readdirSync(join(folder, 'all', 'queue'))).toEqual(['ev1.json'])
    await restore(backup, join(folder, 'few'))
    expect(existsSync(join(folder, 'few', 'queue'))).toBe(false)
  })

  test('leaves the data folder as it is, and nothing else beside the file', async () => {
    cpSync(original, data, { recursive: true })
    const before = digestFolder(data)
    await backUp(data, join(folder, 'x.backup'))
    expect(digestFolder(data)).toBe(before)
    expect(readdirSync(folder).sort()).toEqual(['data', 'x.backup'])
  })

  test('never replaces a file, and names a wrong folder', async () => {
    writeFileSync(join(folder, 'taken'), 'x')
    await expect(backUp(original, join(folder, 'taken'))).rejects.toThrow('already exists. No backup was made.')
    await expect(backUp(folder, join(folder, 'y'))).rejects.toThrow("isn't a data folder of Porchlight")
    await expect(backUp(original, join(folder, 'no', 'y'))).rejects.toThrow("doesn't exist. No backup was made.")
    const inside = join(original, 'y.backup')
    await expect(backUp(original, inside)).rejects.toThrow("can't be inside the data folder")
    expect([readdirSync(folder), existsSync(inside)]).toEqual([['taken'], false])
  })

  test('of a folder with a damaged database is refused, with the name of the file', async () => {
    cpSync(original, data, { recursive: true })
    const path = findDatabase(data, join(OBJECTS, 'porchlight-provider-Home'))
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 4096, 8192))
    await expect(backUp(data, join(folder, 'z'))).rejects.toThrow(
      /porchlight-provider-Home\/.*is damaged, so no backup/,
    )
    expect(existsSync(join(folder, 'z'))).toBe(false)
  })
})

describe('restore refuses, and changes nothing, if', () => {
  const expectRefusal = async (work: Promise<unknown>, message: string | RegExp) => {
    const before = digestFolder(data)
    await expect(work).rejects.toThrow(message)
    expect(digestFolder(data)).toBe(before)
    expect(existsSync(`${data}.restoring`)).toBe(false)
  }

  test('the passphrase is wrong', async () => {
    await expectRefusal(restore(backup, data, { passphrase: 'something else' }), 'The passphrase is wrong')
  })

  test('the folder is not empty, unless it is to be replaced', async () => {
    mkdirSync(data)
    writeFileSync(join(data, 'mine'), 'x')
    await expectRefusal(restore(backup, data), "isn't empty. Nothing was changed.")
    const { aside } = await restore(backup, data, { replace: true })
    expect(readFileSync(join(aside ?? '', 'mine'), 'utf8')).toBe('x')
    expect(existsSync(join(data, 'secrets.env'))).toBe(true)
  })

  test('Porchlight runs on the folder', async () => {
    mkdirSync(data)
    const supervisor = { pid: process.pid, startedAt: readStartTime(process.pid) }
    writeFileSync(join(data, 'run.json'), JSON.stringify({ supervisor, url: 'http://localhost:8787', parts: {} }))
    await expectRefusal(restore(backup, data, { replace: true }), 'Porchlight is running with the data folder')
  })

  test('there is no such file, or it is not a backup', async () => {
    await expectRefusal(restore(join(folder, 'none'), data), 'There is no backup')
    for (const content of ['', 'x', 'x'.repeat(5000)]) {
      writeFileSync(join(folder, 'other'), content)
      await expectRefusal(restore(join(folder, 'other'), data), "isn't a complete Porchlight backup")
    }
  })

  test('a byte of the backup differs, wherever it is', async () => {
    const bytes = readFileSync(backup)
    const copy = join(folder, 'copy')
    const messages = new Set<string>()
    const count = selectByTestTier(8, 100)
    for (let n = 0; n < count; n += 1) {
      const at = Math.floor(((n + 0.5) * bytes.length) / count)
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      writeFileSync(copy, changed)
      await expectRefusal(
        restore(copy, data).catch((error: unknown) => {
          messages.add(String(error).replace(/[0-9a-f]{64}/, 'ID'))
          throw error
        }),
        /is damaged|isn't a complete Porchlight backup/,
      )
    }
    expect([...messages].join('\n')).toMatch(/is damaged at state\/provider\/v3\/.*\. Nothing was changed/)
  })

  test('the file ends too early', async () => {
    const bytes = readFileSync(backup)
    for (const length of [bytes.length - 1, bytes.length >> 1, 700]) {
      writeFileSync(join(folder, 'short'), bytes.subarray(0, length))
      await expectRefusal(restore(join(folder, 'short'), data), "isn't a complete Porchlight backup")
    }
  })
})
