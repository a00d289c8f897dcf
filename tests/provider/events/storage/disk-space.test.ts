import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getStorage, type DiskSpace } from '../../../../contract/cameras/storage-calls.ts'
import { retentionPolicy } from '../../../../contract/events/event-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import { deleteStagingLeftovers, getStagingFolder } from '../../../../scripts/lib/backup/staging-folder.ts'
import { measureDiskSpace } from '../../../../scripts/lib/worker-runtime.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

const now = Date.now()
const ROOMY_DISK: DiskSpace = { free_bytes: 150e9, total_bytes: 200e9 }
/** Disk of the provider's computer. Only its size is fake; `measureDisk` below stands for the file system. */
let disk = ROOMY_DISK
let failure: Error | null = null
const measureDisk = () => (failure ? Promise.reject(failure) : Promise.resolve(disk))

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ measureDisk })
  await neighborhood.a.bridge.register('door_a')
})
afterAll(() => neighborhood.close())
beforeEach(() => {
  disk = ROOMY_DISK
  failure = null
})

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')
async function readHomeStorage() {
  const { body } = await neighborhood.call(neighborhood.a, getStorage)
  return body.data.homes[0]
}
async function addClip(id: string, event_ts: number): Promise<string> {
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, Buffer.alloc(1000))
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', id, { event_ts, clip_object }))
  return clip_object
}
const isStored = async (key: string) => (await neighborhood.bindings.MEDIA.head(key)) !== null

describe('limit by free space', () => {
  test('leaves a tenth of the disk free, at least 10 GB, and is measured again for each call', async () => {
    expect(await readHomeStorage()).toMatchObject({
      disk: { free_bytes: 150e9, reserve_bytes: 20e9 },
      room_bytes: 130e9,
    })
    disk = { free_bytes: 4e9, total_bytes: 32e9 }
    expect(await readHomeStorage()).toMatchObject({
      disk: { free_bytes: 4e9, reserve_bytes: 10e9 },
      room_bytes: 0,
    })
  })

  test('deletes nothing while the disk has room, or cannot be measured', async () => {
    const clip = await addClip('stays', now - 2 * DAY_MS)
    await getHome().runRetentionStep(now)
    disk = { free_bytes: 0, total_bytes: 1e12 }
    failure = new Error('no such folder')
    await getHome().runRetentionStep(now)
    expect(await isStored(clip)).toBe(true)
    expect(await readHomeStorage()).toMatchObject({ disk: null, room_bytes: null })
    expect(neighborhood.stage.provider.outputLines.join()).toContain('couldn’t be measured')
  })

  test('that another program fills never costs the last 2 GB of clips', async () => {
    const clip = await addClip('last', now - 2 * DAY_MS)
    disk = { free_bytes: 0, total_bytes: 1e12 }
    await getHome().runRetentionStep(now)
    expect(await isStored(clip)).toBe(true)
  })

  test('that is exceeded costs the oldest clips first, and the events page learns until when', async () => {
    const [oldest, newest] = [await addClip('oldest', now - 9 * DAY_MS), await addClip('newest', now - DAY_MS)]
    await getHome().runRetentionStep(now, { kind: 'bytes', bytes: (await sumStored()) - 1000 })
    expect([await isStored(oldest), await isStored(newest)]).toEqual([false, true])
    const { devices } = (await neighborhood.call(neighborhood.a, retentionPolicy)).body.data
    expect(devices).toEqual([expect.objectContaining({ device_id: 'door_a', freed_until: now - 9 * DAY_MS + 1 })])
  })
})

test('the disk of a folder is measured by the file system', async () => {
  const space = await measureDiskSpace('.', '.')
  expect(space.total_bytes).toBeGreaterThan(space.free_bytes)
  await expect(measureDiskSpace('/no/such/folder', '.')).rejects.toThrow('ENOENT')

  // During a backup, deleting clips would free no space.
  const data = mkdtempSync(join(tmpdir(), 'disk-space-'))
  const staging = getStagingFolder(data)
  mkdirSync(staging)
  await expect(measureDiskSpace('.', data)).rejects.toThrow('A backup is running.')
  renameSync(staging, join(data, `backing-up-${process.pid}-earlier`))
  expect((await measureDiskSpace('.', data)).total_bytes).toBe(space.total_bytes)
  await deleteStagingLeftovers(data)
  expect(readdirSync(data)).toEqual([])
  rmSync(data, { recursive: true })
})

async function sumStored(): Promise<number> {
  const { objects } = await neighborhood.bindings.MEDIA.list()
  return objects.reduce((sum, { size }) => sum + size, 0)
}
