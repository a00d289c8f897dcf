import { promises as dns } from 'node:dns'
import { is } from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import { providerMessage } from '../../../contract/bridge/bridge-protocol.ts'
import type { IceServers } from '../../../contract/live/ice-servers.ts'
import { chooseIceServers, GATHERING_TIMEOUT_MS } from '../../../bridge/webrtc/ice-gathering.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import { warmUpWebRtc, createWeriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import { LoopSource } from '../../../bridge/virtual/loop-source.ts'
import { BrowserPeer, type TurnLogin } from '../../support/browser-peer.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { TurnServer } from '../../support/turn-server.ts'
import { sceneLibrary } from '../../support/bridge-streams.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  vi.restoreAllMocks()
})

async function openTurn(): Promise<TurnServer> {
  const turn = await TurnServer.open({ bridge: 'secret of the bridge', viewer: 'secret of the viewer' })
  cleanups.push(() => turn.close())
  return turn
}

async function openViewer(servers: IceServers): Promise<Viewer> {
  const input = { cameraId: 'PL1', scene: sceneLibrary.getScene('driveway'), fps: 15, utcOffsetMinutes: 0 }
  const source = new LoopSource(sceneLibrary, { scene: 'driveway', input }, { now: () => Date.now() })
  source.start()
  cleanups.push(() => source.stop())
  await vi.waitUntil(() => source.getGop().length > 0, WAIT_OPTIONS)
  const viewer = new Viewer(
    source,
    (events, has) => createWeriftPeer(events, has, servers),
    () => undefined,
  )
  cleanups.push(() => viewer.end())
  return viewer
}

function openBrowser(turn?: TurnLogin): BrowserPeer {
  const browser = new BrowserPeer(['video'], turn)
  cleanups.push(() => browser.close())
  return browser
}

const listCandidates = (sdp: string) => sdp.split('\r\n').filter((line) => line.startsWith('a=candidate:'))
const listCandidateTypes = (sdp: string) => new Set(listCandidates(sdp).map((line) => / typ (\w+)/.exec(line)?.[1]))
const removeNonRelayCandidates = (sdp: string) => {
  const others = listCandidates(sdp).filter((line) => !line.includes(' typ relay'))
  return sdp
    .split('\r\n')
    .filter((line) => !others.includes(line))
    .join('\r\n')
}

const TRANSPORTS = [
  ['UDP', 'url'],
  ['TCP', 'tcpUrl'],
] as const
test.each(TRANSPORTS)(
  'video reaches a viewer through TURN over %s if neither end reaches the other',
  async (_, urlField) => {
    const turn = await openTurn()
    const viewer = await openViewer([
      { urls: [turn[urlField]], username: 'bridge', credential: 'secret of the bridge' },
    ])
    const browser = openBrowser({ urls: turn[urlField], username: 'viewer', credential: 'secret of the viewer' })
    const offer = await browser.offer()
    expect(listCandidateTypes(offer)).toEqual(new Set(['relay']))
    const answer = await viewer.answer(offer)
    expect(listCandidateTypes(answer)).toEqual(new Set(['host', 'relay']))
    await browser.acceptAnswer(removeNonRelayCandidates(answer))
    await vi.waitUntil(() => browser.packets.filter(({ header }) => header.marker).length >= 20, {
      timeout: scaleTimeout(15_000),
    })
    const received = browser.packets.reduce((sum, { payload }) => sum + payload.length, 0)
    expect(turn.getRelayedBytes('bridge')).toBeGreaterThan(received)
    expect(turn.getRelayedBytes('viewer')).toBeGreaterThan(received)
    expect([turn.allocationCount, turn.rejectedRequestCount]).toEqual([2, 0])
  },
)

test('if TURN over UDP provides no address, the next viewers get one over TCP', async () => {
  const [udp, tcp] = [await openTurn(), await openTurn()]
  const servers = [
    { urls: [udp.url], username: 'bridge', credential: 'wrong' },
    { urls: [tcp.tcpUrl], username: 'bridge', credential: 'secret of the bridge' },
  ]
  const answers: string[] = []
  for (let round = 0; round < 2; round++) {
    const viewer = await openViewer(servers)
    answers.push(await viewer.answer(await openBrowser().offer()))
  }
  expect(answers.map(listCandidateTypes)).toEqual([new Set(['host']), new Set(['host', 'relay'])])
  expect([udp.allocationCount, tcp.allocationCount]).toEqual([0, 1])
})

test('a TURN server that rejects the password provides no address and blocks no viewer on the same network', async () => {
  const turn = await openTurn()
  const viewer = await openViewer([{ urls: [turn.url], username: 'bridge', credential: 'wrong' }])
  const browser = openBrowser()
  const offer = await browser.offer()
  const startedAt = performance.now()
  const answer = await viewer.answer(offer)
  expect(performance.now() - startedAt).toBeLessThan(scaleTimeout(3 * GATHERING_TIMEOUT_MS))
  expect(listCandidateTypes(answer)).toEqual(new Set(['host']))
  expect(turn.rejectedRequestCount).toBeGreaterThan(0)
  expect(turn.allocationCount).toBe(0)
  await browser.acceptAnswer(answer)
  await vi.waitUntil(() => browser.packets.length > 0, { timeout: scaleTimeout(15_000) })
})

test('a bridge that received no ICE servers contacts none, neither for a viewer nor during warm-up', async () => {
  const lookup = vi.spyOn(dns, 'lookup')
  await warmUpWebRtc()
  const viewer = await openViewer([])
  const browser = openBrowser()
  expect(listCandidateTypes(await viewer.answer(await browser.offer()))).toEqual(new Set(['host']))
  expect(lookup).not.toHaveBeenCalled()
})

test('of many servers, the bridge chooses the first for STUN, and for TURN one over UDP with a password', () => {
  const login = { username: 'u', credential: 'c' }
  const [stun, turnWithoutLogin, tcp, udp] = [
    'stun:a:3478',
    'turn:b:3478',
    'turn:c:3478?transport=tcp',
    'turn:d:3478?transport=udp',
  ]
  expect(
    chooseIceServers([{ urls: [stun, 'stun:z'] }, { urls: [turnWithoutLogin] }, { urls: [tcp, udp], ...login }]),
  ).toEqual([{ urls: stun }, { urls: udp, ...login }])
  expect(chooseIceServers([{ urls: [tcp, 'turns:e'], ...login }])).toEqual([{ urls: tcp, ...login }])
  expect(chooseIceServers([{ urls: [turnWithoutLogin, 'stuns:f', 'nonsense'] }])).toEqual([])
})

test('a welcome message is valid with or without ICE servers', () => {
  const welcome = { type: 'welcome', now: 1, homes: [] }
  expect(
    [undefined, [], [{ urls: ['stun:a'] }]].map((ice_servers) => is(providerMessage, { ...welcome, ice_servers })),
  ).toEqual([true, true, true])
  expect(is(providerMessage, { ...welcome, ice_servers: [{ urls: 'stun:a' }] })).toBe(false)
})
