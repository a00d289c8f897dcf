import { expect, it, vi } from 'vitest'
import { $devices } from '../../src/stores/devices.ts'
import { openLive } from '../../src/stores/live-page.ts'
import { answerWith } from '../support/client.ts'

it('who sees no camera asks again with the first greeting of the feed, however late: one may have been shared', async () => {
  const lines: { onmessage: ((event: { data: string }) => void) | null }[] = []
  vi.stubGlobal(
    'WebSocket',
    class {
      onmessage: ((event: { data: string }) => void) | null = null
      constructor() {
        lines.push(this)
      }
    },
  )
  const shared = { device_id: 'PL1', device_model: 'M', nickname: 'Porch', device_order: 0, role: 2 }
  const list = (device_list: unknown[]) => ({ code: 1, data: { device_list, sort_type: 0, sort_direction: 0 } })
  const answers: Record<string, unknown> = {
    home: { code: 1, data: [] },
    'get-home-devices': list([]),
    'feed-ticket': { code: 200, data: { url: 'ws://localhost/feed' } },
  }
  answerWith(answers)
  openLive()
  await vi.waitFor(() => expect($devices.get()).toEqual({ state: 'ready', devices: [] }))
  answers['get-home-devices'] = list([{ ...shared, device_category: 'camera' }])
  await vi.waitFor(() => expect(lines).toHaveLength(1), 5000)
  lines[0]?.onmessage?.({ data: JSON.stringify({ type: 'hello', now: 1 }) })
  await vi.waitFor(() => expect($devices.get()).toMatchObject({ devices: [{ nickname: 'Porch' }] }))
})
