import { RTCPeerConnection, RTCRtpCodecParameters, type RtpPacket } from 'werift'
import { disableDefaultStunServer } from '../../bridge/webrtc/ice-gathering.ts'

/** Credentials for a TURN server. A browser peer with these credentials connects only through that server. */
export interface TurnLogin {
  readonly urls: string
  readonly username: string
  readonly credential: string
}

const createH264Codec = () =>
  new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: 'packetization-mode=1;profile-level-id=42e01f',
  })
const createOpusCodec = () => new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })

/**
 * Browser side of a WebRTC connection to a bridge. Requests tracks of the given kinds and stores the packets that it
 * receives.
 */
export class BrowserPeer {
  /** RTP packets in order of arrival, one list for each requested track. */
  readonly tracks: readonly RtpPacket[][]
  readonly #connection: RTCPeerConnection

  constructor(kinds: readonly ('video' | 'audio')[] = ['video'], turn?: TurnLogin) {
    this.#connection = new RTCPeerConnection({
      codecs: { video: [createH264Codec()], audio: kinds.includes('audio') ? [createOpusCodec()] : [] },
      ...(turn
        ? { iceServers: [turn], iceTransportPolicy: 'relay' }
        : { iceServers: [], iceAdditionalHostAddresses: ['127.0.0.1'] }),
    })
    this.tracks = kinds.map((kind) => {
      const packets: RtpPacket[] = []
      this.#connection
        .addTransceiver(kind, { direction: 'recvonly' })
        .onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => void packets.push(packet)))
      return packets
    })
    disableDefaultStunServer(this.#connection)
  }

  get packets(): readonly RtpPacket[] {
    return this.tracks[0] ?? []
  }

  async offer(): Promise<string> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer())
    return this.#connection.localDescription?.sdp ?? ''
  }

  acceptAnswer(answer: string): Promise<void> {
    return this.#connection.setRemoteDescription({ type: 'answer', sdp: answer })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
