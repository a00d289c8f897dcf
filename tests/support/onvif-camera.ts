import { createHash, randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface OnvifOptions {
  readonly user?: { readonly name: string; readonly password: string }
  readonly clockErrorMs?: number
  /**
   * HTTP authentication that the camera requires instead of WS-Security. Only `Digest` (RFC 7616) can succeed. The
   * camera then ignores WS-Security headers.
   */
  readonly httpAuthentication?: 'Digest' | 'Basic'
  /** Streams that the camera lists; default: two without an encoding. */
  readonly streams?: readonly OnvifCameraStream[]
  /** Prefix of the message id in an answer to a probe; the id itself is in upper case then. */
  readonly relatesToPrefix?: string
  /** Text that replaces the content of every response. The camera repeats it up to 64 MB. */
  readonly floodText?: string
  /** Number of profiles that the camera lists; 2 by default. Recorders with many channels list more. */
  readonly profileCount?: number
  /** Local addresses from which the camera answers a probe, one datagram each; by default only its own address. */
  readonly answerHosts?: readonly string[]
}

/** Maximum bytes of a flood, for a client that never closes the connection. */
const MAX_FLOOD_BYTES = 64 * 1024 * 1024

export interface OnvifCameraStream {
  readonly token: string
  readonly width: number
  readonly uri: string
  readonly encoding?: string
  /** Token of the lens or channel. */
  readonly source?: string
}

const STREAMS: readonly OnvifCameraStream[] = [
  { token: 'low', width: 640, uri: 'rtsp://10.9.9.9:554/live?a=1&amp;sub=1' },
  { token: 'main', width: 2560, uri: 'rtsp://10.9.9.9:554/live?a=1&amp;sub=0' },
]

const readElement = (xml: string, name: string) => new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`).exec(xml)?.[1] ?? ''

/**
 * Fake ONVIF camera. It answers WS-Discovery probes, and lists its streams over SOAP. If `user` is set, all SOAP
 * requests except those for the camera's time need the credentials of `user`.
 */
export class OnvifCamera {
  readonly requests: string[] = []
  /** Authorization headers of the requests, '' if a request has none. */
  readonly authorizations: string[] = []
  readonly #nonce = randomUUID()
  floodedBytes = 0
  readonly #options: OnvifOptions
  readonly #udp: Socket = createSocket('udp4')
  readonly #http: Server

  private constructor(options: OnvifOptions) {
    this.#options = options
    this.#http = createServer((request, response) => {
      void text(request).then((xml) => {
        this.requests.push(xml)
        this.authorizations.push(request.headers.authorization ?? '')
        if (options.floodText) return this.#sendFlood(response, options.floodText)
        if (this.#isHttpLoginMissing(xml, request.headers.authorization ?? '')) {
          response.writeHead(401, { 'WWW-Authenticate': this.#createChallenge() })
          return response.end('<html>Unauthorized</html>')
        }
        const answer = this.#buildSoapResponse(xml)
        response.writeHead(answer === undefined ? 400 : 200, { 'Content-Type': 'application/soap+xml' })
        response.end(
          wrapInEnvelope(answer ?? '<e:Fault><e:Code><e:Value>ter:NotAuthorized</e:Value></e:Code></e:Fault>'),
        )
      })
    })
    this.#udp.on('message', (message, { address, port }) => {
      const xml = message.toString()
      if (!xml.includes('NetworkVideoTransmitter')) return
      const match = wrapInEnvelope(this.#buildProbeMatch(this.#formatProbeId(readElement(xml, 'w:MessageID'))))
      if (!options.answerHosts) return this.#udp.send(match, port, address)
      for (const host of options.answerHosts) {
        const socket = createSocket('udp4')
        socket.bind(0, host, () => socket.send(match, port, address, () => socket.close()))
      }
    })
  }

  static async start(options: OnvifOptions = {}): Promise<OnvifCamera> {
    const camera = new OnvifCamera(options)
    camera.#udp.bind(0, '127.0.0.1')
    camera.#http.listen(0, '127.0.0.1')
    await Promise.all([once(camera.#udp, 'listening'), once(camera.#http, 'listening')])
    return camera
  }

  get probeAddress(): { address: string; port: number } {
    return { address: '127.0.0.1', port: this.#udp.address().port }
  }

  get serviceUrl(): string {
    const address = this.#http.address()
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/onvif/device_service`
  }

  async close(): Promise<void> {
    this.#udp.close()
    this.#http.close()
    await once(this.#http, 'close')
  }

  #formatProbeId(id: string): string {
    const { relatesToPrefix } = this.#options
    return relatesToPrefix === undefined ? id : `${relatesToPrefix}${id.slice('uuid:'.length).toUpperCase()}`
  }

  /**
   * Builds the answer to a probe. The answer contains the address 10.9.9.9 instead of the camera's own, as if the
   * camera were on two networks.
   */
  #buildProbeMatch(id: string): string {
    const serviceUrl = this.serviceUrl.replace('127.0.0.1', '10.9.9.9')
    const scopes = 'onvif://www.onvif.org/type/video onvif://www.onvif.org/name/Front%20Door%22%3B'
    return `<d:ProbeMatches><d:ProbeMatch><w:RelatesTo>${id}</w:RelatesTo><d:Scopes>${scopes}</d:Scopes><d:XAddrs>${serviceUrl}</d:XAddrs></d:ProbeMatch></d:ProbeMatches>`
  }

  /** Returns the SOAP body of the response; undefined if the request is not authorized. */
  #buildSoapResponse(xml: string): string | undefined {
    if (xml.includes('GetSystemDateAndTime')) return this.#formatCameraTime()
    if (!this.#isAuthorized(xml)) return undefined
    if (xml.includes('GetScopes'))
      return '<t:Scopes><t:ScopeItem>onvif://www.onvif.org/name/Back%20yard</t:ScopeItem></t:Scopes><t:Scopes><t:ScopeItem>onvif://www.onvif.org/hardware/Reolink%20RLC</t:ScopeItem></t:Scopes>'
    if (xml.includes('GetCapabilities'))
      return `<t:Capabilities><t:Media><t:XAddr>${this.serviceUrl.replace('127.0.0.1', '10.9.9.9')}</t:XAddr></t:Media></t:Capabilities>`
    const streams = this.#listStreams()
    if (xml.includes('GetProfiles'))
      return streams
        .map(
          ({ token, width, encoding, source }) =>
            `<m:Profiles fixed="true" token="${token}">${source ? `<t:VideoSourceConfiguration><t:SourceToken>${source}</t:SourceToken></t:VideoSourceConfiguration>` : ''}${encoding ? `<t:Encoding>${encoding}</t:Encoding>` : ''}<t:Resolution><t:Width>${width}</t:Width></t:Resolution>${' '.repeat(1500)}</m:Profiles>`,
        )
        .join('')
    const stream = streams.find(({ token }) => token === readElement(xml, 'ProfileToken'))
    return `<m:MediaUri><t:Uri>${stream?.uri ?? ''}</t:Uri></m:MediaUri>`
  }

  #listStreams(): readonly OnvifCameraStream[] {
    const { streams = STREAMS, profileCount = streams.length } = this.#options
    const extraStreams = Array.from({ length: profileCount - streams.length }, (_, i) => ({
      token: `p${i}`,
      width: 100 + i,
      uri: `rtsp://10.9.9.9:554/${i}`,
    }))
    return [...streams, ...extraStreams]
  }

  #sendFlood(response: ServerResponse, piece: string): void {
    const chunk = piece.repeat(Math.ceil(16_384 / piece.length))
    const writeChunks = () => {
      while (this.floodedBytes < MAX_FLOOD_BYTES && !response.destroyed) {
        this.floodedBytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', writeChunks)
      }
      response.end()
    }
    writeChunks()
  }

  #createChallenge(): string {
    if (this.#options.httpAuthentication === 'Basic') return 'Basic realm="camera"'
    return `Digest qop="auth", realm="IPC", nonce="${this.#nonce}", stale="FALSE"`
  }

  #isHttpLoginMissing(xml: string, authorization: string): boolean {
    const { user, httpAuthentication } = this.#options
    if (!httpAuthentication || !user || xml.includes('GetSystemDateAndTime')) return false
    const getField = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(authorization)?.[1] ?? ''
    const hash = (text: string) => createHash('md5').update(text).digest('hex')
    const middle = `${this.#nonce}:${getField('nc')}:${getField('cnonce')}:auth`
    const secret = hash(`${user.name}:IPC:${user.password}`)
    const right = hash(`${secret}:${middle}:${hash(`POST:${getField('uri')}`)}`)
    return !authorization.startsWith('Digest ') || getField('response') !== right
  }

  #getCameraTime(): Date {
    return new Date(Date.now() + (this.#options.clockErrorMs ?? 0))
  }

  #formatCameraTime(): string {
    const now = this.#getCameraTime()
    const date = `<t:Year>${now.getUTCFullYear()}</t:Year><t:Month>${now.getUTCMonth() + 1}</t:Month><t:Day>${now.getUTCDate()}</t:Day>`
    const time = `<t:Hour>${now.getUTCHours()}</t:Hour><t:Minute>${now.getUTCMinutes()}</t:Minute><t:Second>${now.getUTCSeconds()}</t:Second>`
    return `<t:UTCDateTime><t:Time>${time}</t:Time><t:Date>${date}</t:Date></t:UTCDateTime>`
  }

  /**
   * Returns true if the camera needs no login. Otherwise the username and password digest must match, and the digest's
   * time must be within 5 s of the camera's clock.
   */
  #isAuthorized(xml: string): boolean {
    const { user } = this.#options
    if (!user || this.#options.httpAuthentication) return true
    const created = readElement(xml, 'Created')
    const hash = createHash('sha1')
      .update(Buffer.from(readElement(xml, 'Nonce'), 'base64'))
      .update(created)
    const right = hash.update(user.password).digest('base64') === readElement(xml, 'Password')
    return (
      right &&
      readElement(xml, 'Username') === user.name &&
      Math.abs(Date.parse(created) - this.#getCameraTime().getTime()) < 5000
    )
  }
}

const wrapInEnvelope = (body: string) =>
  `<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:t="http://www.onvif.org/ver10/schema"><e:Body>${body}</e:Body></e:Envelope>`
