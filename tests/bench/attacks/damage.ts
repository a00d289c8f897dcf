import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyFreePort } from '../../../scripts/lib/ports.ts'
import { signIn } from '../../support/edge.ts'
import { Visitor } from '../../support/visitor.ts'
import { startSystem } from '../system.ts'
import { type Attempts, expectSame, type Verdict } from './attempts.ts'
import type { Ground } from './ground.ts'

const ARGS = ['--virtual', '0', '--visits', 'none'] as const
const START_MS = 120_000
const GARBAGE = 'damaged '.repeat(512)
const SQLITE_PAGE_BYTES = 4096

interface Damage {
  readonly what: string
  /** Damages the folder; returns the file that the terminal has to name if Porchlight does not work. */
  readonly do: (data: string) => string
}

const write = (name: string, content: string) => (data: string) => {
  writeFileSync(join(data, name), content)
  return join(data, name)
}
const listFiles = (data: string, pattern: string): string[] =>
  globSync(join(data, 'state', pattern)).sort((a, b) => statSync(b).size - statSync(a).size)
const largest = (data: string, pattern: string): string => {
  const [file] = listFiles(data, pattern)
  if (file === undefined) throw new Error(`There is no file ${pattern}.`)
  return file
}

const DAMAGES: readonly Damage[] = [
  { what: 'a cut cameras.json', do: write('cameras.json', '{"cameras":[{"url":') },
  { what: 'a sealing.key without its key', do: write('sealing.key', '{"kty":"EC"}') },
  { what: 'a bridge.key without its key', do: write('bridge.key', '{}') },
  { what: 'a cameras.secret that is too short', do: write('cameras.secret', 'short') },
  {
    what: 'a cut secret',
    do: (data) => {
      const file = join(data, 'secrets.env')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^(COOKIE_KEY=.{5}).*$/m, '$1'))
      return file
    },
  },
  {
    what: 'garbage in the queue',
    do: (data) => {
      mkdirSync(join(data, 'queue'), { recursive: true })
      for (const name of ['evt_x.json', 'evt_x.mp4', 'evt_x.jpg']) writeFileSync(join(data, 'queue', name), GARBAGE)
      return join(data, 'queue')
    },
  },
  {
    what: 'write-ahead logs gone',
    do: (data) => {
      for (const file of listFiles(data, '**/*.sqlite-{wal,shm}')) rmSync(file)
      return join(data, 'state')
    },
  },
  {
    what: 'the largest object of a home cut to 3,000 bytes',
    do: (data) => {
      const file = largest(data, 'provider/**/*-Home/*.sqlite')
      truncateSync(file, 3000)
      return file
    },
  },
  {
    what: 'page 2 of the tables overwritten',
    do: (data) => {
      const file = largest(data, 'provider/**/d1/**/*.sqlite')
      const bytes = readFileSync(file)
      bytes.fill(GARBAGE, SQLITE_PAGE_BYTES, 2 * SQLITE_PAGE_BYTES)
      writeFileSync(file, bytes)
      return file
    },
  },
]

/** Starts Porchlight on a damaged folder. Porchlight must work, or name the damaged file and exit with code 1. */
async function startOn(root: string, data: string, damaged: string): Promise<Verdict> {
  const port = await anyFreePort()
  const args = ['scripts/start.mjs', '--port', String(port), '--data', data, ...ARGS]
  const child = spawn('node', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
  const ended = once(child, 'close')
  try {
    for (const end = performance.now() + START_MS; child.exitCode === null; await sleep(100)) {
      if (text.includes('Porchlight is ready')) return await works(port, text.includes(damaged))
      if (performance.now() > end) return `it neither started nor ended: ${text.slice(-200)}`
    }
    await ended
    const names = text.includes(damaged) || 'the terminal does not name the file'
    return names === true ? expectSame(child.exitCode, 1) : `${names}: ${text.slice(-200)}`
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Passes if the owner can sign in, or if the terminal output of the start named the damaged file. */
async function works(port: number, isNamed: boolean): Promise<Verdict> {
  const visitor = new Visitor(`http://localhost:${port}`)
  const status = await signIn(visitor).then(
    async () => (await visitor.get('/api/auth/me')).status,
    () => 0,
  )
  return status === 200 || isNamed || `it started, and the owner could not sign in (${status})`
}

/**
 * Fills a data folder: SQLite files of D1 and of the Durable Objects, and write-ahead logs that hold the latest
 * changes.
 */
async function makeUsed(root: string, data: string): Promise<void> {
  await (await startSystem(root, data, ARGS)).stop()
  for (const file of listFiles(data, '**/*.sqlite')) {
    const database = new DatabaseSync(file)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }
  await (await startSystem(root, data, ARGS)).stop()
}

export const damage = {
  name: 'damaged files',
  promise: 'Porchlight works, or ends with a sentence that names the damaged file',
  async run(attempts: Attempts, ground: Ground) {
    const folders = join(ground.data, 'damaged')
    const whole = join(folders, 'whole')
    mkdirSync(whole, { recursive: true })
    await makeUsed(ground.root, whole)
    await attempts.each('a start with', DAMAGES, async ({ what: damageName, do: damageIn }) => {
      const data = join(folders, damageName.replaceAll(/\W/g, '-'))
      cpSync(whole, data, { recursive: true })
      const verdict = await startOn(ground.root, data, damageIn(data))
      rmSync(data, { recursive: true, force: true })
      return verdict
    })
  },
}
