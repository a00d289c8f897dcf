import { expect, test, vi } from 'vitest'
import { $devices } from '../../../src/stores/home/devices.ts'
import { openLivePage } from '../../../src/stores/live/live-page.ts'
import { retainCameras } from '../../../src/stores/live/live-tiles.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

test('the first feed hello, however late, reloads the camera list with retries to find new shares', async () => {
  const sockets: { onmessage: ((event: { data: string }) => void) | null }[] = []
  vi.stubGlobal(
    'WebSocket',
    class {
      onmessage: ((event: { data: string }) => void) | null = null
      constructor() {
        sockets.push(this)
      }
    },
  )
  const camera = { device_model: 'M', device_order: 0, device_category: 'camera' }
  const own = { ...camera, device_id: 'PL1', nickname: 'Door', role: 1 }
  const shared = { ...camera, device_id: 'PL2', nickname: 'Porch', role: 2, device_order: 1 }
  const deviceListResponse = (device_list: unknown[]) => ({
    code: 1,
    data: { device_list, sort_type: 0, sort_direction: 0 },
  })
  const answers: Record<string, unknown> = {
    home: { code: 1, data: [] },
    'get-home-devices': deviceListResponse([own]),
    'feed-ticket': { code: 200, data: { url: 'ws://localhost/feed' } },
    // Never responds, so that no camera retries after the test.
    'get-streams': () => new Promise(() => undefined),
  }
  const requests = stubApiResponses(answers)
  openLivePage()
  await vi.waitFor(
    () => expect($devices.get()).toMatchObject({ state: 'ready', devices: [{ nickname: 'Door' }] }),
    WAIT_OPTIONS,
  )
  await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
  const respondWithDevices = vi
    .fn()
    .mockReturnValueOnce({ code: 2, msg: 'Not now.' })
    .mockReturnValue(deviceListResponse([own, shared]))
  Object.defineProperty(answers, 'get-home-devices', { get: respondWithDevices })
  sockets[0]?.onmessage?.({ data: JSON.stringify({ type: 'hello', now: 1 }) })
  await vi.waitFor(
    () => expect($devices.get()).toMatchObject({ devices: [{ nickname: 'Door' }, { nickname: 'Porch' }] }),
    WAIT_OPTIONS,
  )
  const porch = { device_list: [{ device_id: 'PL2' }] }
  await vi.waitFor(() => expect(requests.map(({ body }) => body)).toContainEqual(porch), WAIT_OPTIONS)
  retainCameras([])
})
