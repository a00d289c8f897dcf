import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readCameras } from '../../../bridge/cameras/camera-file.ts'
import { OwnerSettingsStore } from '../../../bridge/cameras/owner-settings.ts'
import { checkFiles } from '../../../bridge/check-files.ts'
import { parseOptions, type StartOptions } from '../../../scripts/lib/args.ts'
import { changeCameras } from '../../../scripts/lib/cameras.ts'
import { countAccounts, emptyDataFolder, rejectDemoAccounts } from '../../../scripts/lib/data-folder.ts'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { loadBridgeKey } from '../../../scripts/lib/provider-admin.ts'
import { StopError } from '../../../scripts/lib/stop.ts'
import { launchPorchlight } from '../../support/porchlight.ts'

const root = new URL('../../..', import.meta.url).pathname
let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true }))

/** Returns true if the camera is on after the bridge's next start. */
async function isCameraOn(id: string): Promise<boolean> {
  const choices = new OwnerSettingsStore(dataFolder)
  await choices.open()
  return choices.get(id).power
}

test('a switched-off camera is on after a start with an empty data folder', async () => {
  const ownerSettings = new OwnerSettingsStore(dataFolder)
  await ownerSettings.set('RC1', { power: false })
  expect(await isCameraOn('RC1')).toBe(false)
  emptyDataFolder(dataFolder)
  expect(await isCameraOn('RC1')).toBe(true)
  expect(readdirSync(dataFolder).sort()).toEqual(['logs', 'state'])
})

test('accounts are counted in the stopped folder, and --lan refuses demo accounts', () => {
  expect(countAccounts(dataFolder)).toEqual({ demo: 0, own: 0 })
  const folder = join(dataFolder, 'state/provider/v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'one.sqlite'))
  database.exec('CREATE TABLE accounts (demo INTEGER); INSERT INTO accounts VALUES (0)')
  writeFileSync(join(folder, 'damaged.sqlite'), 'damaged')
  expect(countAccounts(dataFolder)).toEqual({ demo: 0, own: 1 })
  expect(() => rejectDemoAccounts(dataFolder)).not.toThrow()
  database.exec('INSERT INTO accounts VALUES (1), (1)')
  database.close()
  expect(countAccounts(dataFolder)).toEqual({ demo: 2, own: 1 })
  expect(() => rejectDemoAccounts(dataFolder)).toThrow(/contains demo accounts.*--data .*--fresh/)
})

test('cameras from options and a list are added together, each with its sub-stream and name; an invalid one is reported', async () => {
  const print = vi.fn()
  const addCameras = (...args: string[]) => changeCameras(root, dataFolder, parseOptions(args) as StartOptions, print)
  addCameras('--camera', 'rtsp://u:p@127.0.0.1:9/1', '--camera', 'rtsp://127.0.0.1:9/2')
  const { cameras } = await readCameras(dataFolder)
  expect(cameras.map(({ url, name }) => [url, name])).toEqual([
    ['rtsp://u:p@127.0.0.1:9/1', 'Camera at 127.0.0.1'],
    ['rtsp://127.0.0.1:9/2', 'Camera at 127.0.0.1'],
  ])
  expect(print.mock.calls.flat().join('\n').split('\n')).toHaveLength(2)
  const addInvalidCamera = () => addCameras('--camera', 'http://u:secret@127.0.0.1:9/3')
  expect(addInvalidCamera).toThrow(StopError)
  expect(addInvalidCamera).toThrow(/^This isn't a camera address/)
})

describe('damaged bridge file', () => {
  const listFiles = () => readdirSync(dataFolder, { recursive: true, encoding: 'utf8' }).sort()

  test.each([
    ['bridge.key', '{}', /is damaged\. Delete it and connect this hub again/],
    ['cameras.json', '{"cameras":[{"url":', /is damaged\. Fix it, or delete it/],
    ['cameras.json', '{"cameras":[{"url":"http://a"}]}', /camera 1: This isn't a camera address/],
    ['cameras.json', `{"cameras":[]}${' '.repeat(5_000_000)}`, /is 5000014 bytes long/],
    ['cameras.secret', 'short', /is damaged\. Restore it from a backup/],
    ['sealing.key', '{"kty":"EC"}', /is damaged\. Delete the file and restart the hub/],
    ['queue', 'a file', /can't be read as a folder.*Move it or make/],
  ])('%s is reported with a message that says what to do', async (name, content, sentence) => {
    loadBridgeKey(dataFolder)
    await expect(checkFiles(dataFolder)).resolves.toBeUndefined()
    writeFileSync(join(dataFolder, name), content)
    const before = listFiles()
    await expect(checkFiles(dataFolder)).rejects.toThrow(sentence)
    await expect(checkFiles(dataFolder)).rejects.toThrow(join(dataFolder, name))
    expect(listFiles()).toEqual(before)
  })

  test('stops the startup before anything runs', async () => {
    loadBridgeKey(dataFolder)
    writeFileSync(join(dataFolder, 'cameras.json'), '{"cameras":[{"url":')
    const { child, lines } = launchPorchlight(dataFolder, await findFreePort())
    expect(await once(child, 'close')).toEqual([1, null])
    expect(lines).toEqual([
      `${join(dataFolder, 'cameras.json')} is damaged\. Fix it, or delete it and add the cameras again.`,
    ])
    expect(readdirSync(join(dataFolder, 'logs'))).toEqual([])
  })

  test.each(['choices.json', 'pasts.json'])('%s does not stop the bridge, which writes a new one', async (name) => {
    loadBridgeKey(dataFolder)
    writeFileSync(join(dataFolder, name), '{"a":')
    await expect(checkFiles(dataFolder)).resolves.toBeUndefined()
    await new OwnerSettingsStore(dataFolder).open()
  })
})
