import { beforeEach, describe, expect, test, vi } from 'vitest'
import { loadCameraFilter, saveCameraFilter } from '../../../src/stores/live/camera-filter.ts'
import { $models, $supported, loadModels, loadSupported } from '../../../src/stores/live/camera-models.ts'
import { canMove, placeCamera, shiftCamera } from '../../../src/stores/live/camera-order.ts'
import { chooseRendition } from '../../../src/stores/live/camera-settings.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { failureText } from '../../../src/stores/shell/failure-text.ts'
import {
  $alone,
  $chosenCameras,
  $layout,
  leaveAlone,
  setLayout,
  toggleAlone,
} from '../../../src/stores/live/live-layout.ts'
import { $listed, $gridCameras } from '../../../src/stores/live/live-page.ts'
import { pinRendition, getQualityPreference } from '../../../src/stores/live/pinned-renditions.ts'
import { $savedLayouts, loadSavedLayouts, saveLayout } from '../../../src/stores/live/saved-layouts.ts'
import { $streams } from '../../../src/stores/live/stream-tickets.ts'
import { $toast } from '../../../src/stores/shell/toasts.ts'
import { answerWith } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'
import { areDistinct } from '../../support/facts.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'

const camera = (device_id: string, device_order: number, role = 1) =>
  toDevice({
    device_id,
    device_model: 'PL-CAM-V1',
    nickname: device_id,
    device_order,
    role,
    device_category: 'camera',
  })
const ids = () => $gridCameras.get().map(({ device_id }) => device_id)

beforeEach(() => {
  localStorage.clear()
  $chosenCameras.set([])
  $alone.set('')
  setLayout('focus')
  $toast.set(null)
  $devices.set({ state: 'ready', devices: [camera('a', 0), camera('b', 1), camera('c', 2), camera('theirs', 3, 2)] })
})

describe('the camera filter', () => {
  test('LIVE-02 shows only the chosen cameras, or all cameras if none is chosen', () => {
    expect(ids()).toEqual(['a', 'b', 'c', 'theirs'])
    $chosenCameras.set(['c', 'a'])
    expect(ids()).toEqual(['a', 'c'])
  })

  test('STORE-07 starts empty and keeps the chosen cameras in browser storage', () => {
    expect($chosenCameras.get()).toEqual([])
    $chosenCameras.set(['b'])
    expect(localStorage.getItem('filterCamerasStore')).toBe('["b"]')
  })

  test('shows all cameras if no chosen camera is left', () => {
    $chosenCameras.set(['gone'])
    expect($listed.get()).toHaveLength(4)
  })

  test('loads the filter saved for the account and saves a new choice', async () => {
    const saved = { CameraListFilter: { filterCamerasMac: ['b'] } }
    const requests = answerWith({
      conf_and_setting: { code: 200, data: { conf: { camera_max: 99 }, setting: saved } },
      CameraListFilter: { code: 200, data: { filterCamerasMac: ['a'] } },
    })
    await loadCameraFilter()
    expect(ids()).toEqual(['b'])
    expect(await saveCameraFilter(['a'])).toBeNull()
    expect(requests.at(-1)?.body).toEqual({ filterCamerasMac: ['a'] })
    expect(ids()).toEqual(['a'])
  })

  test('keeps a newly saved choice when an older response arrives late', async () => {
    const older = Promise.withResolvers<object>()
    const layout = (name: string) => ({ name, mode: 'grid', order: [], shown: [] })
    answerWith({
      conf_and_setting: () =>
        older.promise.then((setting) => ({ code: 200, data: { conf: { camera_max: 99 }, setting } })),
      CameraListFilter: { code: 200, data: { filterCamerasMac: ['a'] } },
    })
    const loading = loadCameraFilter()
    await saveCameraFilter(['a'])
    older.resolve({ CameraListFilter: { filterCamerasMac: ['b'] } })
    await loading
    expect(ids()).toEqual(['a'])

    const layouts = Promise.withResolvers<object>()
    $savedLayouts.set([])
    answerWith({
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
    answerWith({ CameraListFilter: { code: 429 } })
    expect(await saveCameraFilter(['a'])).toMatchObject({ code: '429', inPlace: false })
    expect(ids()).toHaveLength(4)
  })
})

describe('the single-camera view', () => {
  test('works in any layout, and leaving it restores the layout', () => {
    setLayout('grid')
    toggleAlone('b')
    expect([$layout.get(), ids()]).toEqual(['one', ['b']])
    toggleAlone('b')
    expect([$layout.get(), ids().length]).toEqual(['grid', 4])
    expect(leaveAlone()).toBe(false)
  })

  test('shows its camera even if the filter excludes it', () => {
    $chosenCameras.set(['a'])
    $alone.set('c')
    expect(ids()).toEqual(['c'])
  })
})

describe('the camera order', () => {
  test('changes on screen immediately and is saved without other owners’ cameras', async () => {
    const requests = answerWith({ 'camera-order': { code: 200, data: {} } })
    expect(placeCamera('c', 'a')).toBe(true)
    expect(ids()).toEqual(['c', 'a', 'b', 'theirs'])
    await vi.waitFor(() => expect(requests).toHaveLength(1), patience)
    expect(requests[0]?.body).toEqual({ device_ids: ['c', 'a', 'b'] })
  })

  test('is saved with the last of several changes', async () => {
    const requests = answerWith({ 'camera-order': { code: 200, data: {} } })
    shiftCamera('a', 1, $gridCameras.get())
    shiftCamera('a', 1, $gridCameras.get())
    await vi.waitFor(() => expect(requests.at(-1)?.body).toEqual({ device_ids: ['b', 'c', 'a'] }), patience)
  })

  test('is restored if saving fails, and a toast says so', async () => {
    answerWith({})
    placeCamera('c', 'a')
    await vi.waitFor(() => expect($toast.get()?.style).toBe('error'), patience)
    expect(ids()).toEqual(['a', 'b', 'c', 'theirs'])
  })

  test('can be changed only by the owner', () => {
    expect(canMove($gridCameras.get(), 'theirs')).toBe(false)
    expect(placeCamera('theirs', 'a')).toBe(false)
    expect(canMove([camera('a', 0), camera('theirs', 1, 2)], 'a')).toBe(false)
  })
})

describe('camera models', () => {
  const model = { device_model: 'PL-DUO-V1', name: 'Dual camera', dual: true, battery: false, resolutions: ['360'] }

  test('STORE-06 are undefined at first, like their ids, and are stored once loaded', async () => {
    vi.resetModules()
    const atFirst = await import('../../../src/stores/live/camera-models.ts')
    expect([atFirst.$models.get(), atFirst.$modelIds.get()]).toEqual([undefined, undefined])
    expect(atFirst.$supported.get()).toBeNull()
    answerWith({
      devices: { code: 200, data: [{ name: 'Cameras', devices: [model] }] },
      get_support_device_with_category: {
        code: 200,
        data: [{ category: 'camera', name: 'Cameras', device_models: [model.device_model, 'PL-OLD'] }],
      },
    })
    await loadSupported()
    expect(JSON.parse(localStorage.getItem('modelsStore') ?? '')).toEqual([model])
    expect(JSON.parse(localStorage.getItem('modelIdsStore') ?? '')).toEqual(['PL-DUO-V1', 'PL-OLD'])
    expect($supported.get()).toEqual(['Dual camera'])
  })

  test('DEVICE-18 come from the group named Cameras of the platform device list', async () => {
    const other = { ...model, device_model: 'PLUG' }
    answerWith({
      devices: {
        code: 200,
        data: [
          { name: 'Plugs', devices: [other] },
          { name: 'Cameras', devices: [model] },
        ],
      },
    })
    await loadModels()
    expect($models.get()).toEqual([model])
  })

  test('DEVICE-19 are an empty list after a failure, which is logged', async () => {
    $models.set([model])
    const log = vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    answerWith({ devices: { code: 500 } })
    await loadModels()
    expect($models.get()).toEqual([])
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })
})

describe('renditions', () => {
  test('combine the camera’s offer, the camera-wide choice and this browser’s pin, until it is unpinned', () => {
    expect(getQualityPreference('a')).toEqual({ offered: [], chosen: null, pin: null })
    $streams.setKey('a', {
      ...{ device_id: 'a', provider: 'kvs', signalling_url: '', ice_servers: [], renditions: ['360', '720'] },
      ...{ rendition: '720', dual: false, audio: false, battery: false },
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
    answerWith({ resolution: { code: 500 } })
    expect(await chooseRendition('a', '720')).toBe(false)
    expect(log).toHaveBeenCalledOnce()
    expect($toast.get()).toBeNull()
    log.mockRestore()
  })

  test('is shown as one sentence: offline, no response, catalog text or a general text', () => {
    const failure = { ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 } as const
    const offline = failureText(failure, '', false)
    const silent = failureText(failure, '', true)
    const plain = failureText({ ...failure, code: '418', status: 418 }, '', true)
    const forbidden = failureText({ ...failure, code: '403', status: 403 }, '', false)
    expect(areDistinct([offline, silent, plain, forbidden])).toBe(true)
    expect([offline.includes('offline'), silent.includes(BRAND_NAME)]).toEqual([true, true])
    expect(forbidden).toBe(findCatalogEntry('403')?.text)
    expect([failureText(failure, 'Own.', true), failureText(failure, 'Own.', false)]).toEqual(['Own.', offline])
  })
})
