import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { addCamera, readCameras, removeStoredCamera, assignNewDeviceId } from '../../../bridge/cameras/camera-file.ts'

const folders: string[] = []
async function createFolder(): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'camera-ids-'))
  folders.push(dataFolder)
  return dataFolder
}
afterEach(async () => {
  for (const data of folders.splice(0)) await rm(data, { recursive: true, force: true })
})

const CAMERA_KEY = '192.168.1.100:554/stream1'
const url = 'rtsp://me:pw@192.168.1.100/stream1'
/** Id that an earlier bridge version derived for this camera. */
const LEGACY_ID = `RC${createHash('sha256').update(CAMERA_KEY).digest('hex').slice(0, 12).toUpperCase()}`
const readIds = async (dataFolder: string) => (await readCameras(dataFolder)).cameras.map(({ device_id }) => device_id)
const writeCameraList = (dataFolder: string, ...cameras: object[]) =>
  writeFile(join(dataFolder, 'cameras.json'), JSON.stringify({ cameras }), { mode: 0o600 })

test('a camera id derives from its address and a folder secret readable only by the owner', async () => {
  const [firstFolder, two] = [await createFolder(), await createFolder()]
  for (const data of [firstFolder, two]) await writeCameraList(data, { url })
  const [first = '', second] = [...(await readIds(firstFolder)), ...(await readIds(two))]
  expect(first).not.toBe(second)
  for (const digest of ['sha256', 'sha1', 'md5', 'sha512'])
    expect(createHash(digest).update(CAMERA_KEY).digest('hex').toUpperCase()).not.toContain(first.slice(2, 10))
  expect((await stat(join(firstFolder, 'cameras.secret'))).mode & 0o777).toBe(0o600)
  expect(await readIds(firstFolder)).toEqual([first])
})

test('a camera keeps its id when it is removed and added again', async () => {
  const data = await createFolder()
  const { device_id } = await addCamera(data, { url })
  await removeStoredCamera(data, url)
  expect((await addCamera(data, { url })).device_id).toBe(device_id)
})

test('a folder of an earlier version keeps its camera ids, including those that were never stored', async () => {
  const data = await createFolder()
  await mkdir(join(data, 'queue'))
  await writeCameraList(
    data,
    { url },
    { url: 'rtsp://192.168.1.101/stream1', device_id: 'RC0123456789AB', name: 'Shed' },
  )
  const ids = [LEGACY_ID, 'RC0123456789AB']
  expect(await readIds(data)).toEqual(ids)
  expect(await readIds(data)).toEqual(ids)
  expect(await addCamera(data, { url: 'rtsp://me:new@192.168.1.100:554/stream1' })).toMatchObject({
    device_id: LEGACY_ID,
  })
  const { device_id } = await addCamera(data, { url: 'rtsp://192.168.1.102/stream1' })
  expect(device_id).toMatch(/^RC[0-9A-F]{20}$/)
  await removeStoredCamera(data, 'rtsp://192.168.1.101/stream1')
  expect(await readIds(data)).toEqual([LEGACY_ID, device_id])
})

test('a folder that had no camera on the first bridge run yields no predictable id', async () => {
  const data = await createFolder()
  expect(await readIds(data)).toEqual([])
  await mkdir(join(data, 'queue'))
  await writeCameraList(data, { url })
  expect((await readIds(data))[0]).toMatch(/^RC[0-9A-F]{20}$/)
})

test('a camera that gets a new id keeps that id and all other data', async () => {
  const data = await createFolder()
  const before = await addCamera(data, { url, name: 'Porch' })
  const after = await assignNewDeviceId(data, before.device_id)
  expect(after).toEqual({ ...before, device_id: after?.device_id })
  expect(after?.device_id).not.toBe(before.device_id)
  expect((await readCameras(data)).cameras).toEqual([after])
  expect(await assignNewDeviceId(data, before.device_id)).toBeUndefined()
})

test('cameras that get new ids concurrently all keep theirs', async () => {
  const data = await createFolder()
  const before = []
  for (let n = 1; n <= 5; n++) before.push(await addCamera(data, { url: `rtsp://127.0.0.1:9/${n}` }))
  const after = await Promise.all(before.map(({ device_id }) => assignNewDeviceId(data, device_id)))
  expect((await readCameras(data)).cameras).toEqual(after)
})

test('a damaged secret is named in an error and left unchanged', async () => {
  const data = await createFolder()
  await writeFile(join(data, 'cameras.secret'), 'short')
  await expect(readCameras(data)).rejects.toThrow(/cameras\.secret is damaged\. Restore it from a backup/)
  expect(await readFile(join(data, 'cameras.secret'), 'utf8')).toBe('short')
})

test('reading a folder that does not exist creates nothing', async () => {
  const data = join(await createFolder(), 'nowhere')
  expect(await readCameras(data)).toEqual({ cameras: [], removed: [] })
  await expect(stat(data)).rejects.toThrow('ENOENT')
})
