import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { syncOpenCameraWithUrl } from '../../../src/stores/live/open-camera-url.ts'
import { collectDiagnostics } from '../../../src/stores/live/camera-diagnostics.ts'
import { $openDialog } from '../../../src/stores/live/camera-dialog.ts'
import { loadCameraAreas, savePlaces } from '../../../src/stores/live/camera-areas.ts'
import { rename, switchPower } from '../../../src/stores/live/camera-settings.ts'
import { $shares, loadShares, addCameraShare, removeCameraShare } from '../../../src/stores/live/camera-shares.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $alone, $chosenCameras, setLayout } from '../../../src/stores/live/live-layout.ts'
import { $gridCameras } from '../../../src/stores/live/live-page.ts'
import { $streams } from '../../../src/stores/live/stream-tickets.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { watchShortcuts } from '../../../src/islands/live/parts/page-shortcuts.ts'
import { answerWith } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const camera = (device_id: string, device_order: number) =>
  toDevice({
    device_id,
    device_model: 'PL-CAM-V1',
    nickname: `Camera of mia@example.com ${device_id}`,
    device_order,
    role: 1,
    device_category: 'camera',
  })
const ids = () => $gridCameras.get().map(({ device_id }) => device_id)
const press = (key: string, target: Element = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

let stops: (() => void)[] = []
beforeEach(() => {
  $chosenCameras.set([])
  setLayout('focus')
  $openDialog.set(null)
  while ($toast.get()) closeToast()
  history.replaceState(null, '', '/live?from=mail')
  $devices.set({ state: 'ready', devices: [camera('a', 0), camera('b', 1), camera('c', 2)] })
  stops = [watchShortcuts(), syncOpenCameraWithUrl()]
})
afterEach(() => stops.forEach((stop) => stop()))

describe('keyboard shortcuts', () => {
  test('1 to 9 open one of the shown cameras, arrows move on from it, Escape returns', () => {
    $chosenCameras.set(['b', 'c'])
    press('2')
    expect(ids()).toEqual(['c'])
    press('ArrowRight')
    expect(ids()).toEqual(['b'])
    press('ArrowLeft')
    expect(ids()).toEqual(['c'])
    press('Escape')
    expect(ids()).toEqual(['b', 'c'])
    press('9')
    expect(ids()).toEqual(['b', 'c'])
  })

  test('? opens the shortcut list; in a field every key is text', () => {
    const field = document.body.appendChild(document.createElement('input'))
    press('?', field)
    press('1', field)
    expect([$openDialog.get(), $alone.get()]).toEqual([null, ''])
    press('?')
    expect($openDialog.get()).toEqual({ kind: 'keys' })
    field.remove()
  })
})

describe('URL of a single camera', () => {
  test('names the open camera, keeps its other parameters, and drops the camera afterward', async () => {
    const before = history.length
    $alone.set('b')
    expect(location.search).toBe('?from=mail&camera=b')
    $alone.set('c')
    expect([location.search, history.length]).toEqual(['?from=mail&camera=c', before + 1])
    $alone.set('')
    await vi.waitFor(() => expect(location.search).toBe('?from=mail'), patience)
  })

  test('is followed by the page on back and forward navigation', async () => {
    $alone.set('b')
    history.back()
    await vi.waitFor(() => expect($alone.get()).toBe(''), patience)
    history.forward()
    await vi.waitFor(() => expect($alone.get()).toBe('b'), patience)
    expect(location.search).toBe('?from=mail&camera=b')
  })

  test('if opened directly, becomes the URL of all cameras without leaving the page', () => {
    stops.splice(0).forEach((stop) => stop())
    history.replaceState(null, '', '/live?camera=b')
    $alone.set('b')
    stops = [watchShortcuts(), syncOpenCameraWithUrl()]
    press('Escape')
    expect([location.pathname, location.search, $alone.get()]).toEqual(['/live', '', ''])
  })

  test('shows all cameras and a message if its camera is not among them', () => {
    $alone.set('gone')
    $devices.set({ state: 'ready', devices: [camera('a', 0), camera('b', 1)] })
    expect(ids()).toEqual(['a', 'b'])
    expect($toast.get()).not.toBeNull()
  })
})

describe('camera sharing', () => {
  const shareEntry = { device_id: 'a', email: 'sam@example.com', role: 2, created_at: 5 }
  const none = { code: 200, data: { shares: [] } }

  test('lists the accounts that see the cameras after each change', async () => {
    const requests = answerWith({
      share: { code: 200, data: {} },
      shares: { code: 200, data: { shares: [shareEntry] } },
    })
    expect(await addCameraShare('a', 'sam@example.com')).toBeNull()
    expect(requests[0]?.body).toEqual({ device_id: 'a', email: 'sam@example.com', role: 2 })
    expect($shares.get()).toEqual({ state: 'ready', shares: [shareEntry] })
  })

  test('shows beside the field, in the provider’s words, that an address is rejected', async () => {
    answerWith({ share: { code: 400, msg: 'Seen already.' } })
    expect(await addCameraShare('a', 'nobody@example.com')).toMatchObject({
      text: 'Seen already.',
      inPlace: true,
    })
  })

  test('treats an already revoked share as revoked', async () => {
    answerWith({ unshare: { code: 404 }, shares: none })
    expect(await removeCameraShare('a', 'sam@example.com')).toBeNull()
  })

  test('keeps the list when it cannot be loaded again', async () => {
    answerWith({ shares: { code: 200, data: { shares: [shareEntry] } } })
    await loadShares()
    answerWith({})
    await loadShares()
    expect($shares.get()).toEqual({ state: 'ready', shares: [shareEntry] })
  })
})

describe('camera settings', () => {
  test('stay unchanged when a change is rejected', async () => {
    answerWith({ 'camera-rename': { code: 429 }, 'camera-power': { code: 503 } })
    expect(await rename('a', 'Gate')).toMatchObject({ code: '429' })
    expect(await switchPower('a', false)).toMatchObject({ code: '503' })
    expect($gridCameras.get()[0]).toMatchObject({ nickname: camera('a', 0).nickname, iot_power: 1 })
  })

  test('show the camera areas that this page knows, and save the choice', async () => {
    const requests = answerWith({
      'camera-places': { code: 200, data: { places: ['upstairs', 'underwater', 'back'] } },
    })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: ['back', 'upstairs'] })
    answerWith({ 'camera-places': { code: 200, data: { places: [] } } })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: [] })
    const saved = answerWith({ 'camera-places': { code: 200, data: {} } })
    expect(await savePlaces('a', ['back'])).toBeNull()
    expect([requests.length, saved.map(({ body }) => body)]).toEqual([1, [{ device_id: 'a', places: ['back'] }]])
  })

  test('omit camera areas that the provider does not store, and report a failed request', async () => {
    answerWith({ 'camera-places': { code: 404 } })
    expect(await loadCameraAreas('a')).toEqual({ ok: true, data: null })
    answerWith({ 'camera-places': { code: 503 } })
    expect(await loadCameraAreas('a')).toMatchObject({ ok: false, code: '503', inPlace: true })
    expect(await savePlaces('a', ['back'])).toMatchObject({ code: '503', inPlace: false })
    expect($toast.get()).not.toBeNull()
  })

  test('show a camera as switched off immediately', async () => {
    answerWith({ 'camera-power': { code: 200, data: {} } })
    expect(await switchPower('a', false)).toBeNull()
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
    const file = JSON.stringify(collectDiagnostics(camera('a', 0)))
    expect(JSON.parse(file)).toMatchObject({ camera: { device_id: 'a' }, stream: { provider: 'lake', ice_servers: 1 } })
    expect(file).not.toMatch(/SECRET|turn-|mia|provider\.example/)
  })
})
