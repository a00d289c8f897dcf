import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { DISK_ALMOST_FULL_REASON, DISK_FULL_REASON } from '../../../bridge/recording/disk-limits.ts'
import { DiskSpaceMonitor } from '../../../bridge/recording/disk-space-monitor.ts'
import { scaleTimeout } from '../../support/machine.ts'

const DISK_BYTES = 8_000_000
const RESERVE_BYTES = 2_000_000
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  vi.restoreAllMocks()
})

const ALMOST_FULL_MESSAGE = `Recording paused: ${DISK_ALMOST_FULL_REASON}`
const FULL_MESSAGE = `Recording paused: ${DISK_FULL_REASON}`

/** Mounts a small disk and monitors its free space. Returns undefined if mounting is not permitted. */
async function mountSmallDisk() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'room-'))
  cleanups.push(() => rm(dataFolder, { recursive: true, force: true }))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', dataFolder]).status !== 0)
    return undefined
  cleanups.push(() => spawnSync('umount', ['-l', dataFolder]))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const monitor = new DiskSpaceMonitor(dataFolder, { reserve: RESERVE_BYTES, roomMs: 20 })
  cleanups.push(() => monitor.stop())
  const messages: string[] = []
  monitor.watch((trouble) => void messages.push(trouble))
  const fillerFile = join(dataFolder, 'filler')
  let filledBytes = 0
  const setFreeBytes = async (bytes: number) => {
    const targetBytes = DISK_BYTES - bytes
    if (targetBytes > filledBytes) await appendFile(fillerFile, Buffer.alloc(targetBytes - filledBytes))
    else await truncate(fillerFile, targetBytes)
    filledBytes = targetBytes
  }
  return { dataFolder, monitor, messages, setFreeBytes }
}

test('a disk with free space around the reserve is reported almost full once and recovered once', async (context) => {
  const disk = await mountSmallDisk()
  if (!disk) return context.skip('Mounting a small file system requires root.')
  const { monitor, messages, setFreeBytes } = disk
  for (const bytes of [
    RESERVE_BYTES - 50_000,
    RESERVE_BYTES + 50_000,
    RESERVE_BYTES - 50_000,
    RESERVE_BYTES + 150_000,
  ]) {
    await setFreeBytes(bytes)
    expect(await monitor.check()).toBe(DISK_ALMOST_FULL_REASON)
  }
  expect(messages).toEqual(['', ALMOST_FULL_MESSAGE])
  await setFreeBytes(RESERVE_BYTES + 300_000)
  expect(await monitor.check()).toBeUndefined()
  expect(messages).toEqual(['', ALMOST_FULL_MESSAGE, ''])
  return undefined
})

test('a full disk stays reported while only small files fit, and recording resumes with enough room', async (context) => {
  const disk = await mountSmallDisk()
  if (!disk) return context.skip('Mounting a small file system requires root.')
  const { dataFolder, monitor, messages, setFreeBytes } = disk
  await setFreeBytes(RESERVE_BYTES - 50_000)
  await monitor.check()
  await setFreeBytes(100_000)
  const writeClip = (name: string, bytes: number) =>
    monitor.runWithDiskSpace(() => writeFile(join(dataFolder, name), Buffer.alloc(bytes)))
  for (let round = 0; round < 3; round++) {
    await setFreeBytes(100_000)
    const pendingWrite = writeClip('clip', 400_000)
    await vi.waitUntil(() => messages.includes(FULL_MESSAGE), { timeout: scaleTimeout(10_000), interval: 5 })
    expect(await monitor.check()).toBe(DISK_FULL_REASON)
    await setFreeBytes(500_000)
    await pendingWrite
    await rm(join(dataFolder, 'clip'))
    // The small clip fits on the disk, but leaves less free space than the system reserve.
    await writeClip('small', 1000)
    expect(await monitor.check()).toBe(DISK_FULL_REASON)
  }
  expect(messages).toEqual(['', ALMOST_FULL_MESSAGE, FULL_MESSAGE])
  await setFreeBytes(RESERVE_BYTES * 2)
  await vi.waitUntil(() => messages.length === 4, { timeout: scaleTimeout(10_000), interval: 5 })
  expect(messages).toEqual(['', ALMOST_FULL_MESSAGE, FULL_MESSAGE, ''])
  return undefined
})
