import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { PendingHistory } from '../../../bridge/virtual/pending-history.ts'

const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))))

test('the next run resends a started backfill up to the same time, until it is finished', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pasts-'))
  folders.push(dataFolder)
  await new PendingHistory(dataFolder).start('PL1', 1000)
  await new PendingHistory(dataFolder).start('PL2', 2000)
  expect(await new PendingHistory(dataFolder).getHistoryEnd('PL1')).toBe(1000)
  await new PendingHistory(dataFolder).finish('PL1')
  expect(await new PendingHistory(dataFolder).getHistoryEnd('PL1')).toBeUndefined()
  expect(await new PendingHistory(dataFolder).getHistoryEnd('PL2')).toBe(2000)
})
