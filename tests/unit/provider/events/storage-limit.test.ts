import { expect, test } from 'vitest'
import { getLimitBytes, hasRoom, readStorageLimit } from '../../../../provider/events/storage/storage-limit.ts'
import type { Env } from '../../../../provider/env.ts'

const createEnv = (cap: string | undefined, disk?: { free_bytes: number; total_bytes: number }) =>
  ({
    MEDIA_CAP_BYTES: cap,
    ...(disk && { DISK: { fetch: () => Promise.resolve(Response.json(disk)) } }),
  }) as unknown as Env
const DISK = { free_bytes: 40e9, total_bytes: 500e9 }

test('the setting takes precedence over the disk, and 0 turns the limit off', async () => {
  expect(await readStorageLimit(createEnv('3000000000', DISK))).toEqual({ kind: 'bytes', bytes: 3e9 })
  expect(await readStorageLimit(createEnv('0', DISK))).toBeNull()
  expect(await readStorageLimit(createEnv('', DISK))).toMatchObject({ kind: 'disk' })
})

test('on Cloudflare, which has no disk, there is no limit', async () => {
  expect(await readStorageLimit(createEnv(undefined))).toBeNull()
})

test('a disk leaves its reserve free, but never costs the last 2 GB', async () => {
  const limit = await readStorageLimit(createEnv(undefined, DISK))
  if (!limit) throw new Error('There is no limit.')
  expect(limit).toEqual({ kind: 'disk', freeBytes: 40e9, reserveBytes: 50e9 })
  expect([getLimitBytes(limit, 100e9), getLimitBytes(limit, 5e9)]).toEqual([90e9, 2e9])
  expect([hasRoom(limit), hasRoom({ ...limit, kind: 'disk', freeBytes: 50e9, reserveBytes: 50e9 })]).toEqual([
    false,
    true,
  ])
})
