import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeMissingCamera } from '../../../src/stores/live/missing-camera.ts'
import { syncOpenCameraWithUrl } from '../../../src/stores/live/open-camera-url.ts'
import { collectDiagnostics } from '../../../src/stores/live/camera-diagnostics.ts'
import { $openDialog } from '../../../src/stores/live/camera-dialog.ts'
import { loadCameraAreas, saveCameraAreas } from '../../../src/stores/live/camera-areas.ts'
import { renameOwnCamera, setCameraPowerState } from '../../../src/stores/live/camera-settings.ts'
import {
  $cameraInvitation,
  $cameraShares,
  loadCameraShares,
  addCameraShare,
  removeCameraShares,
} from '../../../src/stores/live/camera-shares.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $singleCameraId, $chosenCameras, setLayoutMode } from '../../../src/stores/live/live-layout.ts'
import { $gridCameras } from '../../../src/stores/live/live-page.ts'
import { $streams } from '../../../src/stores/live/stream-tickets.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { watchShortcuts } from '../../../src/islands/live/parts/page-shortcuts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const createCamera = (device_id: string, device_order: number) =>
  toDevice({
    device_id,
    device_model: 'PL-CAM-V1',
    nickname: `Camera of mia@example.com ${device_id}`,
    device_order,
    role: 1,
    device_category: 'camera',
  })
const listShownIds = () => $gridCameras.get().map(({ device_id }) => device_id)
const pressKey = (key: string, target: Element = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

let stops: (() => void)[] = []
beforeEach(() => {
  $chosenCameras.set([])
  setLayoutMode('focus')
  $openDialog.set(null)
  while ($toast.get()) closeToast()
  history.replaceState(null, '', '/live?from=mail')
  $devices.set({ state: 'ready', devices: [createCamera('a', 0), createCamera('b', 1), createCamera('c', 2)] })
  stops = [watchShortcuts(), syncOpenCameraWithUrl(), closeMissingCamera()]
})
afterEach(() => stops.forEach((stop) => stop()))

describe('keyboard shortcuts', () => {
  test('1 to 9 open one of the shown cameras, arrows move on from it, Escape returns', () => {
    $chosenCameras.set(['b', 'c'])
    pressKey('2')
    expect(listShownIds()).toEqual(['c'])
    pressKey('ArrowRight')
    expect(listShownIds()).toEqual(['b'])
    pressKey('ArrowLeft')
    expect(listShownIds()).toEqual(['c'])
    pressKey('Escape')
    expect(listShownIds()).toEqual(['b', 'c'])
    pressKey('9')
    expect(listShownIds()).toEqual(['b', 'c'])
  })

  test('? opens the shortcut list; in a field every key is text', () => {
    const field = document.body.appendChild(document.createElement('input'))
    pressKey('?', field)
    pressKey('1', field)
    expect([$openDialog.get(), $singleCameraId.get()]).toEqual([null, ''])
    pressKey('?')
    expect($openDialog.get()).toEqual({ kind: 'keys' })
    field.remove()
  })
})

describe('URL of a single camera', () => {
  test('names the open camera, keeps its other parameters, and drops the camera afterward', async () => {
    const before = history.length
    $singleCameraId.set('b')
    expect(location.search).toBe('?from=mail&camera=b')
    $singleCameraId.set('c')
    expect([location.search, history.length]).toEqual(['?from=mail&camera=c', before + 1])
    $singleCameraId.set('')
    await vi.waitFor(() => expect(location.search).toBe('?from=mail'), WAIT_OPTIONS)
  })

  test('is followed by the page on back and forward navigation', async () => {
    $singleCameraId.set('b')
    history.back()
    await vi.waitFor(() => expect($singleCameraId.get()).toBe(''), WAIT_OPTIONS)
    history.forward()
    await vi.waitFor(() => expect($singleCameraId.get()).toBe('b'), WAIT_OPTIONS)
    expect(location.search).toBe('?from=mail&camera=b')
  })

  test('if opened directly, becomes the URL of all cameras without leaving the page', () => {
    stops.splice(0).forEach((stop) => stop())
    history.replaceState(null, '', '/live?camera=b')
    $singleCameraId.set('b')
    stops = [watchShortcuts(), syncOpenCameraWithUrl(), closeMissingCamera()]
    pressKey('Escape')
    expect([location.pathname, location.search, $singleCameraId.get()]).toEqual(['/live', '', ''])
  })

  test('shows all cameras and a message if its camera is not among them', () => {
    $singleCameraId.set('gone')
    $devices.set({ state: 'ready', devices: [createCamera('a', 0), createCamera('b', 1)] })
    expect(listShownIds()).toEqual(['a', 'b'])
    expect($toast.get()).not.toBeNull()
  })
})

describe('camera sharing', () => {
  const shareEntry = { device_id: 'a', email: 'sam@example.com', role: 2, created_at: 5 }
  const noSharesResponse = { code: 200, data: { shares: [] } }

  test('lists the accounts that see the cameras after each change', async () => {
    const requests = stubApiResponses({
      share: { code: 200, data: {} },
      shares: { code: 200, data: { shares: [shareEntry] } },
    })
    expect(await addCameraShare('a', 'sam@example.com')).toBeNull()
    expect(requests[0]?.body).toEqual({ device_id: 'a', email: 'sam@example.com', role: 2 })
    expect($cameraShares.get()).toEqual({ state: 'ready', shares: [shareEntry], invites: 'none' })
  })

  test('offers the invitation link that the provider returns, until the share ends', async () => {
    const invitation = { url: 'https://provider.example/i', qr: { size: 29, path: 'M0 0' }, expires_at: 9 }
    stubApiResponses({
      share: { code: 200, data: { invitation } },
      unshare: { code: 200, data: {} },
      shares: { code: 200, data: { shares: [], invites: 'link' } },
    })
    await addCameraShare('a', 'sam@example.com')
    expect($cameraInvitation.get()).toEqual({ ...invitation, deviceId: 'a', email: 'sam@example.com' })
    expect($cameraShares.get()).toMatchObject({ invites: 'link' })
    await removeCameraShares(['a'], 'sam@example.com')
    expect($cameraInvitation.get()).toBeNull()
  })

  test('shows beside the field, in the provider’s words, that an address is rejected', async () => {
    stubApiResponses({ share: { code: 400, msg: 'Seen already.' } })
    expect(await addCameraShare('a', 'nobody@example.com')).toMatchObject({
      text: 'Seen already.',
      inPlace: true,
    })
  })

  test('ends the shares of one person in order, and shows what remains after a failure', async () => {
    const requests = stubApiResponses({
      unshare: ({ device_id }: { device_id: string }) => (device_id === 'b' ? { code: 500 } : { code: 200, data: {} }),
      shares: { code: 200, data: { shares: [shareEntry] } },
    })
    expect(await removeCameraShares(['a', 'b', 'c'], 'sam@example.com')).not.toBeNull()
    expect(requests.filter(({ path }) => path.endsWith('unshare')).map(({ body }) => body)).toMatchObject([
      { device_id: 'a' },
      { device_id: 'b' },
    ])
    expect($cameraShares.get()).toMatchObject({ state: 'ready', shares: [shareEntry] })
  })

  test('treats an already revoked share as revoked', async () => {
    stubApiResponses({ unshare: { code: 404 }, shares: noSharesResponse })
    expect(await removeCameraShares(['a'], 'sam@example.com')).toBeNull()
  })

  test('keeps the list when it cannot be loaded again', async () => {
    stubApiResponses({ shares: { code: 200, data: { shares: [shareEntry] } } })
    await loadCameraShares()
    stubApiResponses({})
    await loadCameraShares()
    expect($cameraShares.get()).toEqual({ state: 'ready', shares: [shareEntry], invites: 'none' })
  })
})

describe('camera settings', () => {
  test('stay unchanged when a change is rejected', async () => {
    stubApiResponses({ 'camera-rename': { code: 429 }, 'camera-power': { code: 503 } })
    expect(await renameOwnCamera('a', 'Gate')).toMatchObject({ code: '429' })
    expect(await setCameraPowerState('a', false)).toMatchObject({ code: '503' })
    expect($gridCameras.get()[0]).toMatchObject({ nickname: createCamera('a', 0).nickname, iot_power: 1 })
  })

  test('show the camera areas that this page knows, and save the choice', async () => {
    const requests = stubApiResponses({
      'camera-places': { code: 200, data: { places: ['upstairs', 'underwater', 'back'] } },
    })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: ['back', 'upstairs'] })
    stubApiResponses({ 'camera-places': { code: 200, data: { places: [] } } })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: [] })
    const saved = stubApiResponses({ 'camera-places': { code: 200, data: {} } })
    expect(await saveCameraAreas('a', ['back'])).toBeNull()
    expect([requests.length, saved.map(({ body }) => body)]).toEqual([1, [{ device_id: 'a', places: ['back'] }]])
  })

  test('omit camera areas that the provider does not store, and report a failed request', async () => {
    stubApiResponses({ 'camera-places': { code: 404 } })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: null })
    stubApiResponses({ 'camera-places': { code: 503 } })
    expect(await loadCameraAreas('a')).toMatchObject({ ok: false, code: '503', inPlace: true })
    expect(await saveCameraAreas('a', ['back'])).toMatchObject({ code: '503', inPlace: false })
    expect($toast.get()).not.toBeNull()
  })

  test('show a camera as switched off immediately', async () => {
    stubApiResponses({ 'camera-power': { code: 200, data: {} } })
    expect(await setCameraPowerState('a', false)).toBeNull()
    expect($gridCameras.get()[0]?.iot_power).toBe(0)
  })
})

describe('diagnostic file', () => {
  test('holds playback details of the camera, and no name, address, email or ticket', () => {
    $streams.setKey('a', {
      device_id: 'a',
      provider: 'lake',
      signalling_url: 'wss://provider.example/signal?ticket=SECRET',
      ice_servers: [{ urls: ['turn:relay.example'], username: 'turn-user', credential: 'turn-secret' }],
      renditions: ['360', '720'],
      dual: false,
      audio: true,
      battery: false,
    })
    const file = JSON.stringify(collectDiagnostics(createCamera('a', 0)))
    expect(JSON.parse(file)).toMatchObject({ camera: { device_id: 'a' }, stream: { provider: 'lake', ice_servers: 1 } })
    expect(file).not.toMatch(/SECRET|turn-|mia|provider\.example/)
  })
})
