import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ALMOST_FULL, DISK_FULL } from '../../../bridge/recording/disk-limits.ts'
import { DiskSpaceMonitor } from '../../../bridge/recording/disk-space-monitor.ts'
import { scaled } from '../../support/machine.ts'

const DISK_BYTES = 8_000_000
const RESERVE = 2_000_000
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.restoreAllMocks()
})

const almost = `Recording pauses: ${ALMOST_FULL}`
const full = `Recording pauses: ${DISK_FULL}`

/** A disk space monitor on its own small disk; `leave` sets the free bytes. Undefined if mounting is not permitted. */
async function smallDisk() {
  const data = await mkdtemp(join(tmpdir(), 'room-'))
  ends.push(() => rm(data, { recursive: true, force: true }))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', data]).status !== 0) return undefined
  ends.push(() => spawnSync('umount', ['-l', data]))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const room = new DiskSpaceMonitor(data, { reserve: RESERVE, roomMs: 20 })
  ends.push(() => room.stop())
  const troubles: string[] = []
  room.watch((trouble) => void troubles.push(trouble))
  const filler = join(data, 'filler')
  let filled = 0
  const leave = async (bytes: number) => {
    const targetBytes = DISK_BYTES - bytes
    if (targetBytes > filled) await appendFile(filler, Buffer.alloc(targetBytes - filled))
    else await truncate(filler, targetBytes)
    filled = targetBytes
  }
  return { data, room, told: troubles, leave }
}

test('a disk with free space around the reserve is reported almost full once and recovered once', async (context) => {
  const disk = await smallDisk()
  if (!disk) return context.skip('Mounting a small file system needs the rights of root.')
  const { room, told: troubles, leave } = disk
  for (const bytes of [RESERVE - 50_000, RESERVE + 50_000, RESERVE - 50_000, RESERVE + 150_000]) {
    await leave(bytes)
    expect(await room.check()).toBe(ALMOST_FULL)
  }
  expect(troubles).toEqual(['', almost])
  await leave(RESERVE + 300_000)
  expect(await room.check()).toBeUndefined()
  expect(troubles).toEqual(['', almost, ''])
  return undefined
})

test('a full disk stays reported while only small files fit, and recording resumes with enough room', async (context) => {
  const disk = await smallDisk()
  if (!disk) return context.skip('Mounting a small file system needs the rights of root.')
  const { data, room, told: troubles, leave } = disk
  await leave(RESERVE - 50_000)
  await room.check()
  await leave(100_000)
  const clip = (name: string, bytes: number) => room.whenRoom(() => writeFile(join(data, name), Buffer.alloc(bytes)))
  for (let round = 0; round < 3; round++) {
    await leave(100_000)
    const waits = clip('clip', 400_000)
    await vi.waitUntil(() => troubles.includes(full), { timeout: scaled(10_000), interval: 5 })
    expect(await room.check()).toBe(DISK_FULL)
    await leave(500_000)
    await waits
    await rm(join(data, 'clip'))
    // The small clip fits on the disk, but the free space stays below the system reserve.
    await clip('small', 1000)
    expect(await room.check()).toBe(DISK_FULL)
  }
  expect(troubles).toEqual(['', almost, full])
  await leave(RESERVE * 2)
  await vi.waitUntil(() => troubles.length === 4, { timeout: scaled(10_000), interval: 5 })
  expect(troubles).toEqual(['', almost, full, ''])
  return undefined
})
