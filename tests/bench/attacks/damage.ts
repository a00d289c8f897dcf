import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { signInThroughEdge } from '../../support/edge.ts'
import { Visitor } from '../../support/visitor.ts'
import { startSystem } from '../system.ts'
import { type Attempts, expectEqual, type Verdict } from './attempts.ts'
import type { AttackEnvironment } from './attack-environment.ts'

const START_ARGS = ['--virtual', '0', '--visits', 'none'] as const
const START_TIMEOUT_MS = 120_000
const DAMAGED_CONTENT = 'damaged '.repeat(512)
const SQLITE_PAGE_BYTES = 4096

interface DamageCase {
  readonly name: string
  /** Damages the data folder. Returns the path that the terminal output must contain if Porchlight does not work. */
  readonly damage: (dataFolder: string) => string
}

const writeFileInto = (name: string, content: string) => (dataFolder: string) => {
  writeFileSync(join(dataFolder, name), content)
  return join(dataFolder, name)
}
const listStateFiles = (dataFolder: string, pattern: string): string[] =>
  globSync(join(dataFolder, 'state', pattern)).sort((a, b) => statSync(b).size - statSync(a).size)
const findLargestFile = (dataFolder: string, pattern: string): string => {
  const [file] = listStateFiles(dataFolder, pattern)
  if (file === undefined) throw new Error(`There is no file ${pattern}.`)
  return file
}

const DAMAGE_CASES: readonly DamageCase[] = [
  { name: 'a truncated cameras.json', damage: writeFileInto('cameras.json', '{"cameras":[{"url":') },
  { name: 'a sealing.key without its key', damage: writeFileInto('sealing.key', '{"kty":"EC"}') },
  { name: 'a bridge.key without its key', damage: writeFileInto('bridge.key', '{}') },
  { name: 'a cameras.secret that is too short', damage: writeFileInto('cameras.secret', 'short') },
  {
    name: 'a truncated secret',
    damage: (data) => {
      const file = join(data, 'secrets.env')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^(COOKIE_KEY=.{5}).*$/m, '$1'))
      return file
    },
  },
  {
    name: 'garbage in the queue',
    damage: (data) => {
      mkdirSync(join(data, 'queue'), { recursive: true })
      for (const name of ['evt_x.json', 'evt_x.mp4', 'evt_x.jpg'])
        writeFileSync(join(data, 'queue', name), DAMAGED_CONTENT)
      return join(data, 'queue')
    },
  },
  {
    name: 'missing write-ahead logs',
    damage: (data) => {
      for (const file of listStateFiles(data, '**/*.sqlite-{wal,shm}')) rmSync(file)
      return join(data, 'state')
    },
  },
  {
    name: 'the largest Home object truncated to 3,000 bytes',
    damage: (data) => {
      const file = findLargestFile(data, 'provider/**/*-Home/*.sqlite')
      truncateSync(file, 3000)
      return file
    },
  },
  {
    name: 'page 2 of the D1 database overwritten',
    damage: (data) => {
      const file = findLargestFile(data, 'provider/**/d1/**/*.sqlite')
      const bytes = readFileSync(file)
      bytes.fill(DAMAGED_CONTENT, SQLITE_PAGE_BYTES, 2 * SQLITE_PAGE_BYTES)
      writeFileSync(file, bytes)
      return file
    },
  },
]

/**
 * Starts Porchlight on a damaged folder. If Porchlight starts, the owner must be able to sign in, or the terminal
 * output must name the damaged file. If Porchlight exits, the output must name the file, and the exit code must be 1.
 */
async function tryStart(root: string, dataFolder: string, damagedFile: string): Promise<Verdict> {
  const port = await findFreePort()
  const args = ['scripts/start.mjs', '--port', String(port), '--data', dataFolder, ...START_ARGS]
  const child = spawn('node', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
  const ended = once(child, 'close')
  try {
    for (const end = performance.now() + START_TIMEOUT_MS; child.exitCode === null; await sleep(100)) {
      if (text.includes('Porchlight is ready')) return await trySignIn(port, text.includes(damagedFile))
      if (performance.now() > end) return `Porchlight neither started nor exited: ${text.slice(-200)}`
    }
    await ended
    const nameVerdict = text.includes(damagedFile) || 'the terminal output does not name the file'
    return nameVerdict === true ? expectEqual(child.exitCode, 1) : `${nameVerdict}: ${text.slice(-200)}`
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Passes if the owner can sign in, or if the terminal output named the damaged file (`isNamed`). */
async function trySignIn(port: number, isNamed: boolean): Promise<Verdict> {
  const visitor = new Visitor(`http://localhost:${port}`)
  const status = await signInThroughEdge(visitor).then(
    async () => (await visitor.get('/api/auth/me')).status,
    () => 0,
  )
  return status === 200 || isNamed || `Porchlight started, but the owner could not sign in (${status})`
}

/**
 * Fills a data folder with the SQLite files of D1 and the Durable Objects, and with write-ahead logs that hold the
 * latest changes.
 */
async function createUsedDataFolder(root: string, dataFolder: string): Promise<void> {
  await (await startSystem(root, dataFolder, START_ARGS)).stop()
  for (const file of listStateFiles(dataFolder, '**/*.sqlite')) {
    const database = new DatabaseSync(file)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }
  await (await startSystem(root, dataFolder, START_ARGS)).stop()
}

export const damagedFileAttacks = {
  name: 'damaged files',
  guarantee: 'Porchlight works, or exits with a message that names the damaged file',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const folders = join(environment.dataFolder, 'damaged')
    const intactFolder = join(folders, 'whole')
    mkdirSync(intactFolder, { recursive: true })
    await createUsedDataFolder(environment.root, intactFolder)
    await attempts.tryEach('a start with', DAMAGE_CASES, async ({ name: damageName, damage: damageIn }) => {
      const data = join(folders, damageName.replaceAll(/\W/g, '-'))
      cpSync(intactFolder, data, { recursive: true })
      const verdict = await tryStart(environment.root, data, damageIn(data))
      rmSync(data, { recursive: true, force: true })
      return verdict
    })
  },
}
