import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readRestoredRecord, settleInterruptedRestore } from '../../../scripts/lib/backup/swap-folders.ts'
import {
  backUp,
  createTestFolder,
  digestFolder,
  listFiles,
  PASSPHRASE,
  restore,
  ROOT,
  unpackDataFolder,
} from '../../support/backups.ts'
import { selectByTestTier } from '../../support/tier.ts'

describe('a restore that is killed', () => {
  let folder: string
  let data: string
  let backup: string
  let passphraseFile: string
  let newState: string | null
  let fileCount: number
  beforeAll(async () => {
    folder = createTestFolder()
    data = join(folder, 'data')
    backup = join(folder, 'home.backup')
    passphraseFile = join(folder, 'passphrase')
    writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
    unpackDataFolder(join(folder, 'source'))
    await backUp(join(folder, 'source'), backup)
    await restore(backup, join(folder, 'reference'))
    newState = digestFolder(join(folder, 'reference', 'state'))
    fileCount = listFiles(join(folder, 'reference')).length
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeEach(resetData)

  function resetData(): void {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith('data')))
      rmSync(join(folder, name), { recursive: true })
    mkdirSync(join(data, 'state'), { recursive: true })
    writeFileSync(join(data, 'state', 'mine'), 'previous data')
  }

  /** Returns which state the data folder has after the next start has settled the restore. */
  function readOutcome(): string {
    settleInterruptedRestore(data)
    expect(existsSync(`${data}.restoring`)).toBe(false)
    if (digestFolder(join(data, 'state')) === newState) return readRestoredRecord(data) ? 'new' : 'mixed'
    return readdirSync(data).join() === 'state' && readdirSync(join(data, 'state')).join() === 'mine' ? 'old' : 'mixed'
  }

  async function killRestore(waitForMoment: () => Promise<unknown>): Promise<void> {
    const args = ['scripts/restore.ts', backup, '--data', data, '--replace', '--passphrase-file', passphraseFile]
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' })
    const exit = once(child, 'exit')
    await Promise.race([waitForMoment(), exit])
    child.kill('SIGKILL')
    await exit
  }

  const waitUntil = async (isReached: () => boolean) => {
    while (!isReached()) await new Promise((resolve) => setImmediate(resolve))
  }
  const moments = {
    'at its start': () => waitUntil(() => existsSync(`${data}.restoring`)),
    'while it writes files': () => {
      const count = Math.ceil(Math.random() * fileCount)
      return waitUntil(() => existsSync(`${data}.restoring`) && listFiles(`${data}.restoring`).length >= count)
    },
    'when the new folder is complete': () => waitUntil(() => readRestoredRecord(`${data}.restoring`) !== null),
  }

  test.each(Object.entries(moments))('%s leaves the old or the new data', async (_moment, waitForMoment) => {
    for (let n = 0; n < selectByTestTier(1, 20); n += 1) {
      await killRestore(waitForMoment)
      expect(['old', 'new']).toContain(readOutcome())
      resetData()
    }
  })

  test('between the renames is finished: the previous folder is already aside', async () => {
    rmSync(data, { recursive: true })
    await restore(backup, data)
    renameSync(data, `${data}.restoring`)
    expect(settleInterruptedRestore(data)).toBe(`An interrupted restore of ${data} was finished.`)
    expect(readOutcome()).toBe('new')
  })

  test('before the first rename is discarded, also if the new folder is complete', async () => {
    const { aside } = await restore(backup, data, { replace: true })
    renameSync(data, `${data}.restoring`)
    renameSync(aside ?? '', data)
    expect(settleInterruptedRestore(data)).toMatch(/was discarded\. The data folder is unchanged\.$/)
    expect(readOutcome()).toBe('old')
  })
})
