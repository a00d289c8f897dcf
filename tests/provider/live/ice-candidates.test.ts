import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { decodePayload, encodePayload } from '../../../contract/live/signaling.ts'
import { addAccount, openNeighborhood, type Account, type Neighborhood } from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

const REMOTE_PORTAL_ORIGIN = 'https://portal.example'
const CANDIDATE_LINES = {
  lan: 'candidate:1 1 udp 1 192.168.1.5 5000 typ host',
  mapped: 'candidate:2 1 udp 1 ::ffff:10.0.0.5 5000 typ host',
  public: 'candidate:3 1 udp 1 8.8.8.8 5000 typ srflx raddr 192.168.1.5 rport 5000',
  linkLocal: 'candidate:4 1 udp 1 fe80::1%eth0 5000 typ host',
  multicast: 'candidate:5 1 udp 1 239.255.255.250 1900 typ host',
  loopback: 'candidate:6 1 udp 1 127.0.0.1 5000 typ host',
}
const sdp = ['v=0', 'c=IN IP4 192.168.1.5', ...Object.values(CANDIDATE_LINES).map((line) => `a=${line}`), ''].join(
  '\r\n',
)

let town: Neighborhood
let localNeighborhood: Neighborhood
let guest: Account
beforeAll(async () => {
  town = await openNeighborhood({ change: () => ({ PORTAL_ORIGIN: REMOTE_PORTAL_ORIGIN }) })
  localNeighborhood = await openNeighborhood()
  for (const { a } of [town, localNeighborhood]) await a.bridge.register('door_a')
  guest = await addAccount(town.bindings, 'guest')
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
})
afterAll(async () => {
  await town.close()
  await localNeighborhood.close()
})

const openedSockets: TestSocket[] = []
afterEach(async () => {
  for (const socket of openedSockets.splice(0)) await socket.close()
})

interface ViewerConnection {
  viewer: TestSocket
  control: TestSocket
  /**
   * Sends messages as the viewer, followed by `END_MARKER`, which the provider always forwards.
   * Returns the signals that reached the bridge before `END_MARKER`.
   */
  sendToBridge(messages: { action: string; messagePayload: string }[]): Promise<string[]>
  /**
   * Sends messages as the bridge, followed by `END_MARKER`. Returns the signals that reached the viewer before
   * `END_MARKER`.
   */
  sendToViewer(messages: { action: string; messagePayload: string }[]): Promise<string[]>
}

const END_MARKER = { action: 'RENDITION', messagePayload: encodePayload({ name: 'last' }) }

async function openViewer(neighborhood: Neighborhood, account: Account): Promise<ViewerConnection> {
  const control = await neighborhood.a.bridge.openControlSocket()
  control.send({ type: 'hello', version: '1', cameras: [{ device_id: 'door_a', state: 'awake', reason: '' }] })
  await control.receive((message) => message.type === 'welcome')
  const { body } = await neighborhood.call(account, getStreams, { device_list: [{ device_id: 'door_a' }] })
  const origin = neighborhood === town ? REMOTE_PORTAL_ORIGIN : neighborhood.stage.env.PORTAL_ORIGIN
  const viewer = await openSocket(body.data.streams[0].signalling_url, { origin })
  openedSockets.push(viewer, control)
  const { viewer_id } = await control.receive((message) => message.event === 'open')
  const collect = async (next: () => Promise<{ messageType: string; messagePayload: string }>) => {
    const signals: string[] = []
    for (let message = await next(); message.messageType !== 'RENDITION'; message = await next()) {
      const payload = decodePayload(message.messagePayload) as { sdp?: string; candidate?: string }
      signals.push(payload.sdp ?? payload.candidate ?? '')
    }
    return signals
  }
  return {
    viewer,
    control,
    sendToBridge(messages) {
      for (const message of [...messages, END_MARKER]) viewer.send(message)
      return collect(async () => (await control.receive((incoming) => incoming.type === 'signal')).message)
    },
    sendToViewer(messages) {
      for (const message of [...messages, END_MARKER])
        control.send({ type: 'signal', device_id: 'door_a', viewer_id, message })
      const isForwardedSignal = ({ messageType }: { messageType: string }) =>
        messageType !== 'CAMERA_STATE' && messageType !== 'STATUS_RESPONSE'
      return collect(() => viewer.receive(isForwardedSignal))
    },
  }
}

const buildCandidateMessage = (line: string) => ({
  action: 'ICE_CANDIDATE',
  messagePayload: encodePayload({ candidate: line, sdpMid: '0' }),
})
const buildDescriptionMessage = (type: 'offer' | 'answer') => ({
  action: `SDP_${type.toUpperCase()}`,
  messagePayload: encodePayload({ type, sdp }),
})
const buildMessages = (type: 'offer' | 'answer') => [
  buildDescriptionMessage(type),
  ...Object.values(CANDIDATE_LINES).map(buildCandidateMessage),
]
const REDACTED_PUBLIC = CANDIDATE_LINES.public.replace('192.168.1.5 rport 5000', '0.0.0.0 rport 0')
const buildSdp = (c: string, lines: string[]) =>
  ['v=0', `c=IN IP4 ${c}`, ...lines.map((line) => `a=${line}`), ''].join('\r\n')

describe('ICE candidates', () => {
  test('of the home are neither sent to a guest nor accepted from one', async () => {
    const { sendToBridge, sendToViewer } = await openViewer(town, guest)
    expect(await sendToBridge(buildMessages('offer'))).toEqual([
      buildSdp('0.0.0.0', [REDACTED_PUBLIC]),
      REDACTED_PUBLIC,
    ])
    expect(await sendToViewer(buildMessages('answer'))).toEqual([
      buildSdp('0.0.0.0', [REDACTED_PUBLIC]),
      REDACTED_PUBLIC,
    ])
  })

  test('of the home pass between its members and its bridge; candidates of no network do not', async () => {
    const { sendToBridge, sendToViewer } = await openViewer(town, town.a)
    const passing = [CANDIDATE_LINES.lan, CANDIDATE_LINES.mapped, CANDIDATE_LINES.public]
    expect(await sendToBridge(buildMessages('offer'))).toEqual([buildSdp('192.168.1.5', passing), ...passing])
    expect(await sendToViewer(buildMessages('answer'))).toEqual([buildSdp('192.168.1.5', passing), ...passing])
  })

  test('of this machine pass if the whole deployment is on this machine', async () => {
    const { sendToBridge } = await openViewer(localNeighborhood, localNeighborhood.a)
    expect(
      await sendToBridge([
        buildCandidateMessage(CANDIDATE_LINES.loopback),
        buildCandidateMessage(CANDIDATE_LINES.linkLocal),
      ]),
    ).toEqual([CANDIDATE_LINES.loopback])
  })

  test('with mDNS names pass from a browser, but not to one', async () => {
    const { sendToBridge, sendToViewer } = await openViewer(town, guest)
    const name = 'candidate:1 1 udp 1 1c2d.local 5000 typ host'
    expect([
      await sendToBridge([buildCandidateMessage(name)]),
      await sendToViewer([buildCandidateMessage(name)]),
    ]).toEqual([[name], []])
  })

  test('cannot hide in a field of another kind of message', async () => {
    const { sendToBridge } = await openViewer(town, guest)
    const both = { candidate: CANDIDATE_LINES.lan, sdp: 'v=0', sdpMid: '0' }
    expect(await sendToBridge([{ action: 'ICE_CANDIDATE', messagePayload: encodePayload(both) }])).toEqual([])
    const offer = { action: 'SDP_OFFER', messagePayload: encodePayload({ ...both, type: 'offer' }) }
    expect(await sendToBridge([offer])).toEqual(['v=0'])
  })

  test('beyond 64 per offer are rejected with an explanation, until there is a new offer', async () => {
    const { sendToBridge, viewer } = await openViewer(town, guest)
    const offer = {
      action: 'SDP_OFFER',
      messagePayload: encodePayload({ type: 'offer', sdp: `v=0\r\na=${CANDIDATE_LINES.public}` }),
    }
    const many = Array.from({ length: 70 }, () => buildCandidateMessage(CANDIDATE_LINES.public))
    expect(await sendToBridge([offer, ...many])).toHaveLength(1 + 63)
    const rejection = await viewer.receive(({ messageType }) => messageType === 'STATUS_RESPONSE')
    expect(rejection.statusResponse).toMatchObject({
      statusCode: '400',
      description: expect.stringMatching(/64 ICE candidates/),
    })
    expect(await sendToBridge([offer, buildCandidateMessage(CANDIDATE_LINES.public)])).toHaveLength(2)
    const lines = Array.from({ length: 65 }, (_, n) => `a=candidate:${n} 1 udp 1 8.8.8.8 1 typ host`)
    const large = { action: 'SDP_OFFER', messagePayload: encodePayload({ type: 'offer', sdp: lines.join('\r\n') }) }
    expect(await sendToBridge([large])).toEqual([])
  })

  test.each(['not base64', encodePayload('text'), encodePayload({ candidate: 7 })])(
    'that cannot be parsed are rejected with an explanation: %s',
    async (messagePayload) => {
      const { viewer, sendToBridge } = await openViewer(town, town.a)
      expect(await sendToBridge([{ action: 'ICE_CANDIDATE', messagePayload }])).toEqual([])
      expect(await viewer.receive(({ messageType }) => messageType === 'STATUS_RESPONSE')).toMatchObject({
        statusResponse: { statusCode: '400' },
      })
    },
  )
})
