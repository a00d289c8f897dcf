import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatGatewayPath } from '../../../contract/wire/call.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import type { configureClient } from '../../../src/api/api-client.ts'
import { earlyFetch } from '../../../src/early/early-fetch.ts'
import type { Device } from '../../../src/stores/home/devices.ts'

const createStream = (device_id: string, ticket: number) => ({
  device_id,
  provider: 'kvs',
  signalling_url: `ws://127.0.0.1/camera?ticket=${ticket}`,
  ice_servers: [],
  renditions: ['360p'],
  dual: false,
  audio: false,
  battery: false,
})

/** Serves each streams call with a new ticket per camera. `refuse`: returns 503. `missing`: camera without a stream. */
function serveStreams(configure: typeof configureClient, { isUnavailable = false, missing = '' } = {}) {
  const requests: string[][] = []
  configure({
    fetch: (_, init) => {
      const { device_list } = JSON.parse(String(init?.body)) as { device_list: { device_id: string }[] }
      requests.push(device_list.map(({ device_id }) => device_id))
      if (isUnavailable) return Promise.resolve(Response.json({ code: 503 }, { status: 503 }))
      const streams = device_list
        .filter(({ device_id }) => device_id !== missing)
        .map(({ device_id }) => createStream(device_id, requests.length))
      return Promise.resolve(Response.json({ code: 200, data: { streams } }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  return requests
}

async function openPage() {
  vi.resetModules()
  const { acquireStream } = await import('../../../src/stores/live/stream-tickets.ts')
  const client = await import('../../../src/api/api-client.ts')
  const devices = await import('../../../src/stores/home/devices.ts')
  const setCameraIds = (...ids: string[]) =>
    devices.$devices.set({ state: 'ready', devices: ids.map((device_id) => ({ device_id }) as Device) })
  setCameraIds('A')
  return { acquireStream, setCameraIds, configure: client.configureClient }
}

describe('live stream tickets', () => {
  afterEach(() => {
    delete window.early
  })

  test('are requested in one call for all cameras that start together', async () => {
    const { acquireStream, configure } = await openPage()
    const requests = serveStreams(configure)
    const streams = await Promise.all([acquireStream('A'), acquireStream('B')])
    expect(requests).toEqual([['A', 'B']])
    expect(streams).toMatchObject([{ device_id: 'A' }, { device_id: 'B' }])
  })

  test('are each handed out once', async () => {
    const { acquireStream, configure } = await openPage()
    serveStreams(configure)
    const [first, second] = await Promise.all([acquireStream('A'), acquireStream('A')])
    expect(first).toHaveProperty('signalling_url')
    expect((first as { signalling_url: string }).signalling_url).not.toBe(
      (second as { signalling_url: string }).signalling_url,
    )
  })

  test('report which camera has no stream', async () => {
    const { acquireStream, configure } = await openPage()
    serveStreams(configure, { missing: 'B' })
    const [a, b] = await Promise.all([acquireStream('A'), acquireStream('B')])
    expect(a).toHaveProperty('signalling_url')
    expect(b).toBe('no-stream')
  })

  test('report to every camera that Porchlight does not answer', async () => {
    const { acquireStream, configure } = await openPage()
    serveStreams(configure, { isUnavailable: true })
    expect(await Promise.all([acquireStream('A'), acquireStream('B')])).toEqual(['no-service', 'no-service'])
  })

  /** Opens a page whose early request returned ticket 1 for camera A. Later requests of the page return ticket 9. */
  async function openWithEarlyStream() {
    const { acquireStream, setCameraIds, configure } = await openPage()
    const fetch = vi.fn(() => Promise.resolve(Response.json({ code: 200, data: { streams: [createStream('A', 9)] } })))
    configure({
      fetch: earlyFetch(fetch, () => undefined),
      token: () => '',
      xsrf: () => '',
      refresh: () => Promise.resolve('over'),
      onSignedOut: () => undefined,
    })
    const text = JSON.stringify({ code: 200, data: { streams: [createStream('A', 1)] } })
    const answer = Promise.resolve({ status: 200, text })
    window.early = [
      {
        method: 'POST',
        url: formatGatewayPath(getStreams),
        body: '{"device_list":[{"device_id":"A"}]}',
        at: Date.now(),
        token: '',
        answer,
      },
    ]
    return { acquireStream, setCameraIds, fetch }
  }
  const urlWithTicket = (ticket: number) => ({ signalling_url: `ws://127.0.0.1/camera?ticket=${ticket}` })

  test('come from the early request first, and from a new request for the second connection', async () => {
    const { acquireStream, fetch } = await openWithEarlyStream()
    expect(await acquireStream('A')).toMatchObject(urlWithTicket(1))
    expect(fetch).not.toHaveBeenCalled()
    expect(await acquireStream('A')).toMatchObject(urlWithTicket(9))
  })

  test('do not come from an early request for other cameras', async () => {
    const { acquireStream, setCameraIds, fetch } = await openWithEarlyStream()
    setCameraIds('A', 'B')
    const [a] = await Promise.all([acquireStream('A'), acquireStream('B')])
    expect(a).toMatchObject(urlWithTicket(9))
    expect(fetch).toHaveBeenCalledOnce()
  })
})
