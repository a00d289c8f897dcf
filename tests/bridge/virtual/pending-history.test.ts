import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { PendingHistory } from '../../../bridge/virtual/pending-history.ts'

const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))))

test('the next run resends a started backfill up to the same time, until it is finished', async () => {
  const data = await mkdtemp(join(tmpdir(), 'pasts-'))
  folders.push(data)
  await new PendingHistory(data).start('PL1', 1000)
  await new PendingHistory(data).start('PL2', 2000)
  expect(await new PendingHistory(data).begunFor('PL1')).toBe(1000)
  await new PendingHistory(data).finish('PL1')
  expect(await new PendingHistory(data).begunFor('PL1')).toBeUndefined()
  expect(await new PendingHistory(data).begunFor('PL2')).toBe(2000)
})
