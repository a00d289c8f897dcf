import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isIntactArchive } from '../../../scripts/lib/backup/archive-file.ts'
import { isGroupPaused, readStartTime } from '../../../scripts/lib/process-group.ts'
import { backUp, createTestFolder, PASSPHRASE, restore, ROOT } from '../../support/backups.ts'
import { selectByTestTier } from '../../support/tier.ts'

const STATE = 'state/provider/v3'

let folder: string
let data: string
let writer: ChildProcess
let lastWritten = 0
beforeAll(async () => {
  folder = createTestFolder()
  data = join(folder, 'data')
  mkdirSync(join(data, STATE), { recursive: true })
  writeFileSync(join(data, 'secrets.env'), '')
  writer = spawn(process.execPath, ['tests/support/pair-writer.ts', join(data, STATE)], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (writer.stdout) createInterface({ input: writer.stdout }).on('line', (line) => (lastWritten = Number(line)))
  const describeProcess = (pid = 0) => ({ pid, startedAt: readStartTime(pid) ?? '' })
  writeFileSync(
    join(data, 'run.json'),
    JSON.stringify({
      supervisor: describeProcess(process.pid),
      url: 'http://localhost:8787',
      parts: { provider: describeProcess(writer.pid) },
    }),
  )
  await waitForProgress()
})
afterAll(async () => {
  const ended = once(writer, 'exit')
  process.kill(-(writer.pid ?? 0), 'SIGKILL')
  await ended
  rmSync(folder, { recursive: true })
})

/** Waits until the writer has written ten more numbers. */
async function waitForProgress(): Promise<void> {
  const before = lastWritten
  await vi.waitFor(() => expect(lastWritten).toBeGreaterThan(before + 10), { timeout: 60_000, interval: 20 })
}

function readNumbers(restored: string, kind: string): { count: number; last: number } {
  const within = join(restored, STATE, kind)
  const name = readdirSync(within).find((file) => /^[0-9a-f]{64}\.sqlite$/.test(file)) ?? ''
  const database = new DatabaseSync(join(within, name))
  const row = database.prepare('SELECT count(*) AS count, max(n) AS last FROM numbers').get()
  database.close()
  return { count: Number(row?.['count']), last: Number(row?.['last']) }
}

test('backups of a busy data folder never contain an effect without its cause', async () => {
  for (let n = 0; n < selectByTestTier(5, 30); n += 1) {
    await waitForProgress()
    const written = lastWritten
    const file = join(folder, `${n}.backup`)
    await backUp(data, file)
    const target = join(folder, `restored-${n}`)
    await restore(file, target)
    const [first, projection, last] = ['do/pairs-First', 'd1/miniflare-D1DatabaseObject', 'do/pairs-Last'].map((kind) =>
      readNumbers(target, kind),
    )
    // The backup contains all acknowledged numbers, and at most one number is on its way.
    expect(last?.last).toBeGreaterThanOrEqual(written)
    expect(projection?.last).toBeGreaterThanOrEqual(last?.last ?? 0)
    expect(first?.last).toBeGreaterThanOrEqual(projection?.last ?? 0)
    expect((first?.last ?? 0) - (last?.last ?? 0)).toBeLessThanOrEqual(1)
    for (const part of [first, projection, last]) expect(part?.count).toBe(part?.last)
    rmSync(target, { recursive: true })
  }
})

test('a killed backup leaves no file, and Porchlight continues', async () => {
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
  for (let n = 0; n < selectByTestTier(2, 20); n += 1) {
    const file = join(folder, `killed-${n}.backup`)
    const args = ['scripts/backup.ts', file, '--data', data, '--passphrase-file', passphraseFile]
    const backup = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' })
    const exit = once(backup, 'exit')
    // Half of the cases kill the backup while the writer is paused.
    const isReached = n % 2 === 0 ? () => isGroupPaused(writer.pid ?? 0) : () => existsSync(`${file}.partial`)
    await Promise.race([vi.waitFor(() => expect(isReached()).toBe(true), { timeout: 30_000, interval: 1 }), exit])
    backup.kill('SIGKILL')
    await exit
    await waitForProgress()
    expect(!existsSync(file) || (await isIntactArchive(file))).toBe(true)
  }
  await backUp(data, join(folder, 'after.backup'))
  expect(readdirSync(data).filter((name) => name.startsWith('backing-up'))).toEqual([])
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a backup that gets %s leaves nothing behind', async (signal) => {
  const file = join(folder, `${signal}.backup`)
  writeFileSync(join(folder, 'passphrase'), `${PASSPHRASE}\n`)
  const args = ['scripts/backup.ts', file, '--data', data, '--passphrase-file', join(folder, 'passphrase')]
  const backup = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
  const [errorOutput, exit] = [text(backup.stderr), once(backup, 'exit')]
  const isReached = () => readdirSync(data).some((name) => name.startsWith(`backing-up-${backup.pid}-`))
  await vi.waitFor(() => expect(isReached()).toBe(true), { timeout: 30_000, interval: 1 })
  backup.kill(signal)
  expect(await exit).toEqual([1, null])
  expect(await errorOutput).toBe('The backup was stopped. No backup was made.\n')
  await waitForProgress()
  expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([])
  expect(isReached()).toBe(false)
})
