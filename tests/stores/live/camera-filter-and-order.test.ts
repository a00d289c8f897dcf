import { beforeEach, describe, expect, test, vi } from 'vitest'
import { loadCameraFilter, saveCameraFilter } from '../../../src/stores/live/camera-filter.ts'
import {
  $models,
  $supportedModelNames,
  loadCameraModels,
  loadSupportedModels,
} from '../../../src/stores/live/camera-models.ts'
import { canMoveCamera, moveCamera, moveCameraByOne } from '../../../src/stores/live/camera-order.ts'
import { setRenditionForAll } from '../../../src/stores/live/camera-settings.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { formatFailure } from '../../../src/stores/shell/failure-text.ts'
import {
  $singleCameraId,
  $chosenCameras,
  $layout,
  closeSingleCamera,
  setLayoutMode,
  toggleSingleCamera,
} from '../../../src/stores/live/live-layout.ts'
import { $listedCameras, $gridCameras } from '../../../src/stores/live/live-page.ts'
import { pinRendition, getQualityPreference } from '../../../src/stores/live/pinned-renditions.ts'
import { $savedLayouts, loadSavedLayouts, saveLayout } from '../../../src/stores/live/saved-layouts.ts'
import { $streams } from '../../../src/stores/live/stream-tickets.ts'
import { $toast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { areDistinct } from '../../support/facts.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'

const createCamera = (device_id: string, device_order: number, role = 1) =>
  toDevice({
    device_id,
    device_model: 'PL-CAM-V1',
    nickname: device_id,
    device_order,
    role,
    device_category: 'camera',
  })
const listShownIds = () => $gridCameras.get().map(({ device_id }) => device_id)

beforeEach(() => {
  localStorage.clear()
  $chosenCameras.set([])
  $singleCameraId.set('')
  setLayoutMode('focus')
  $toast.set(null)
  $devices.set({
    state: 'ready',
    devices: [createCamera('a', 0), createCamera('b', 1), createCamera('c', 2), createCamera('theirs', 3, 2)],
  })
})

describe('the camera filter', () => {
  test('LIVE-02 shows only the chosen cameras, or all cameras if none is chosen', () => {
    expect(listShownIds()).toEqual(['a', 'b', 'c', 'theirs'])
    $chosenCameras.set(['c', 'a'])
    expect(listShownIds()).toEqual(['a', 'c'])
  })

  test('STORE-07 starts empty and keeps the chosen cameras in browser storage', () => {
    expect($chosenCameras.get()).toEqual([])
    $chosenCameras.set(['b'])
    expect(localStorage.getItem('filterCamerasStore')).toBe('["b"]')
  })

  test('shows all cameras if no chosen camera is left', () => {
    $chosenCameras.set(['gone'])
    expect($listedCameras.get()).toHaveLength(4)
  })

  test('loads the filter saved for the account and saves a new choice', async () => {
    const saved = { CameraListFilter: { filterCamerasMac: ['b'] } }
    const requests = stubApiResponses({
      conf_and_setting: { code: 200, data: { conf: { camera_max: 99 }, setting: saved } },
      CameraListFilter: { code: 200, data: { filterCamerasMac: ['a'] } },
    })
    await loadCameraFilter()
    expect(listShownIds()).toEqual(['b'])
    expect(await saveCameraFilter(['a'])).toBeNull()
    expect(requests.at(-1)?.body).toEqual({ filterCamerasMac: ['a'] })
    expect(listShownIds()).toEqual(['a'])
  })

  test('keeps a newly saved choice when an older response arrives late', async () => {
    const older = Promise.withResolvers<object>()
    const layout = (name: string) => ({ name, mode: 'grid', order: [], shown: [] })
    stubApiResponses({
      conf_and_setting: () =>
        older.promise.then((setting) => ({ code: 200, data: { conf: { camera_max: 99 }, setting } })),
      CameraListFilter: { code: 200, data: { filterCamerasMac: ['a'] } },
    })
    const loading = loadCameraFilter()
    await saveCameraFilter(['a'])
    older.resolve({ CameraListFilter: { filterCamerasMac: ['b'] } })
    await loading
    expect(listShownIds()).toEqual(['a'])

    const layouts = Promise.withResolvers<object>()
    $savedLayouts.set([])
    stubApiResponses({
      'live-layouts': (body: unknown) =>
        body === null ? layouts.promise : { code: 200, data: { layouts: [layout('new')] } },
    })
    const asking = loadSavedLayouts()
    await saveLayout('new')
    layouts.resolve({ code: 200, data: { layouts: [layout('old')] } })
    await asking
    expect($savedLayouts.get()?.map(({ name }) => name)).toEqual(['new'])
  })

  test('stays unchanged if saving fails', async () => {
    stubApiResponses({ CameraListFilter: { code: 429 } })
    expect(await saveCameraFilter(['a'])).toMatchObject({ code: '429', inPlace: false })
    expect(listShownIds()).toHaveLength(4)
  })
})

describe('the single-camera view', () => {
  test('works in any layout, and leaving it restores the layout', () => {
    setLayoutMode('grid')
    toggleSingleCamera('b')
    expect([$layout.get(), listShownIds()]).toEqual(['one', ['b']])
    toggleSingleCamera('b')
    expect([$layout.get(), listShownIds().length]).toEqual(['grid', 4])
    expect(closeSingleCamera()).toBe(false)
  })

  test('shows its camera even if the filter excludes it', () => {
    $chosenCameras.set(['a'])
    $singleCameraId.set('c')
    expect(listShownIds()).toEqual(['c'])
  })
})

describe('the camera order', () => {
  test('changes on screen immediately and is saved without other owners’ cameras', async () => {
    const requests = stubApiResponses({ 'camera-order': { code: 200, data: {} } })
    expect(moveCamera('c', 'a')).toBe(true)
    expect(listShownIds()).toEqual(['c', 'a', 'b', 'theirs'])
    await vi.waitFor(() => expect(requests).toHaveLength(1), WAIT_OPTIONS)
    expect(requests[0]?.body).toEqual({ device_ids: ['c', 'a', 'b'] })
  })

  test('is saved with the last of several changes', async () => {
    const requests = stubApiResponses({ 'camera-order': { code: 200, data: {} } })
    moveCameraByOne('a', 1, $gridCameras.get())
    moveCameraByOne('a', 1, $gridCameras.get())
    await vi.waitFor(() => expect(requests.at(-1)?.body).toEqual({ device_ids: ['b', 'c', 'a'] }), WAIT_OPTIONS)
  })

  test('is restored if saving fails, and a toast says so', async () => {
    stubApiResponses({})
    moveCamera('c', 'a')
    await vi.waitFor(() => expect($toast.get()?.style).toBe('error'), WAIT_OPTIONS)
    expect(listShownIds()).toEqual(['a', 'b', 'c', 'theirs'])
  })

  test('can be changed only by the owner', () => {
    expect(canMoveCamera($gridCameras.get(), 'theirs')).toBe(false)
    expect(moveCamera('theirs', 'a')).toBe(false)
    expect(canMoveCamera([createCamera('a', 0), createCamera('theirs', 1, 2)], 'a')).toBe(false)
  })
})

describe('camera models', () => {
  const model = { device_model: 'PL-DUO-V1', name: 'Dual camera', dual: true, battery: false, resolutions: ['360'] }

  test('STORE-06 are undefined at first, like their ids, and are stored once loaded', async () => {
    vi.resetModules()
    const atFirst = await import('../../../src/stores/live/camera-models.ts')
    expect([atFirst.$models.get(), atFirst.$modelIds.get()]).toEqual([undefined, undefined])
    expect(atFirst.$supportedModelNames.get()).toBeNull()
    stubApiResponses({
      devices: { code: 200, data: [{ name: 'Cameras', devices: [model] }] },
      get_support_device_with_category: {
        code: 200,
        data: [{ category: 'camera', name: 'Cameras', device_models: [model.device_model, 'PL-OLD'] }],
      },
    })
    await loadSupportedModels()
    expect(JSON.parse(localStorage.getItem('modelsStore') ?? '')).toEqual([model])
    expect(JSON.parse(localStorage.getItem('modelIdsStore') ?? '')).toEqual(['PL-DUO-V1', 'PL-OLD'])
    expect($supportedModelNames.get()).toEqual(['Dual camera'])
  })

  test('DEVICE-18 come from the group named Cameras of the platform device list', async () => {
    const other = { ...model, device_model: 'PLUG' }
    stubApiResponses({
      devices: {
        code: 200,
        data: [
          { name: 'Plugs', devices: [other] },
          { name: 'Cameras', devices: [model] },
        ],
      },
    })
    await loadCameraModels()
    expect($models.get()).toEqual([model])
  })

  test('DEVICE-19 are an empty list after a failure, which is logged', async () => {
    $models.set([model])
    const log = vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    stubApiResponses({ devices: { code: 500 } })
    await loadCameraModels()
    expect($models.get()).toEqual([])
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })
})

describe('renditions', () => {
  test('combine the camera’s offer, the camera-wide choice and this browser’s pin, until it is unpinned', () => {
    expect(getQualityPreference('a')).toEqual({ offered: [], chosen: null, pin: null })
    $streams.setKey('a', {
      device_id: 'a',
      provider: 'kvs',
      signalling_url: '',
      ice_servers: [],
      renditions: ['360', '720'],
      rendition: '720',
      dual: false,
      audio: false,
      battery: false,
    })
    pinRendition('a', '360')
    pinRendition('b', '720')
    expect(getQualityPreference('a')).toEqual({ offered: ['360', '720'], chosen: '720', pin: '360' })
    expect(JSON.parse(localStorage.getItem('livePins') ?? '')).toEqual({ a: '360', b: '720' })
    pinRendition('a', null)
    expect([getQualityPreference('a').pin, getQualityPreference('b').pin]).toEqual([null, '720'])
  })
})

describe('a failed call', () => {
  test('LIVE-15 for another resolution is only logged', async () => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    stubApiResponses({ resolution: { code: 500 } })
    expect(await setRenditionForAll('a', '720')).toBe(false)
    expect(log).toHaveBeenCalledOnce()
    expect($toast.get()).toBeNull()
    log.mockRestore()
  })

  test('is shown as one sentence: offline, no response, catalog text or a general text', () => {
    const failure = { ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 } as const
    const offline = formatFailure(failure, '', false)
    const silent = formatFailure(failure, '', true)
    const plain = formatFailure({ ...failure, code: '418', status: 418 }, '', true)
    const forbidden = formatFailure({ ...failure, code: '403', status: 403 }, '', false)
    expect(areDistinct([offline, silent, plain, forbidden])).toBe(true)
    expect([offline.includes('offline'), silent.includes(BRAND_NAME)]).toEqual([true, true])
    expect(forbidden).toBe(findCatalogEntry('403')?.text)
    expect([formatFailure(failure, 'Own.', true), formatFailure(failure, 'Own.', false)]).toEqual(['Own.', offline])
  })
})
