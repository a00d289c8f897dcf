import * as v from 'valibot'
import { OggReader } from '../../bridge/media/audio/ogg-reader.ts'
import { getAttribute, findElements, getElementText } from '../../bridge/discovery/xml.ts'
import { getNalType, NAL_TYPE, splitNals, type EncodedFrame } from '../../bridge/media/h264/annex-b.ts'
import { FlvReader } from '../../bridge/media/h264/flv-reader.ts'
import { PictureOrder } from '../../bridge/media/h264/picture-order-count.ts'
import { selectNewestParameterSets } from '../../bridge/media/h264/parameter-sets.ts'
import { parseSequenceParameters } from '../../bridge/media/h264/sps.ts'
import { getVideoEncoding } from '../../bridge/sources/sdp.ts'
import { parseProviderMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import { postMomentsRequest } from '../../contract/bridge/event-descriptions.ts'
import { openChannelToBridge, openChannelToPage, encodeBytes } from '../../contract/bridge/sealed-channel.ts'
import { verifyTicket } from '../../provider/platform/tickets/tickets.ts'
import { cutSegments, buildInitSegment } from '../../provider/media/hls-segments.ts'
import { readTracks } from '../../provider/media/mp4-samples.ts'
import { returnOrCatchError } from '../support/cases.ts'
import { buildManyChunks, buildOverlappingTracks } from './clips.ts'

/** A parser of untrusted bytes. Its corpus is the folder `tests/fuzz/corpus/{name}`. */
export interface FuzzTarget {
  readonly name: string
  /** Parses as the product does. Returns the size of the result in characters, bytes or entries. */
  readonly parse: (input: Buffer) => number | Promise<number>
  readonly rejectionErrors: readonly string[]
  /** Maximum size of the result: `each` per input byte, plus the constant `base`. */
  readonly result: { readonly each: number; readonly base: number }
  /** Maximum work, as counted by `measureWork`: `each` per input byte, plus the constant `base`. */
  readonly work: { readonly each: number; readonly base: number }
  /**
   * Builders of inputs that random changes do not produce. The argument is the approximate length in bytes. Parsing
   * such an input must take less than ten units of work per byte.
   */
  readonly families?: readonly ((length: number) => Buffer)[]
}

const LINEAR_LIMIT = { each: 40, base: 50_000 }
const TICKET_SECRET = 'fuzz'
/** Bytes per chunk that a parser receives. A pipe may deliver chunks as small as this. */
const CHUNK_BYTES = 64

function readSoap(input: Buffer): number {
  const xml = input.toString()
  const found = ['Profiles', 'Media', 'UTCDateTime'].flatMap((name) => findElements(xml, name, 16))
  const texts = [
    ...found.flatMap((element) => [element.content, getAttribute(element, 'token')]),
    ...['RelatesTo', 'XAddrs', 'Scopes', 'Uri', 'Year'].map((name) => getElementText(xml, name)),
  ]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

function readParameterSets(input: Buffer): number {
  const nals = splitNals(input)
  const order = new PictureOrder()
  for (const nal of nals) {
    order.readCount({ nals: [nal], keyframe: getNalType(nal) === NAL_TYPE.idr })
    const sequence =
      getNalType(nal) === NAL_TYPE.sps ? returnOrCatchError(() => parseSequenceParameters(nal)) : undefined
    if (sequence instanceof Error && !(sequence instanceof RangeError)) throw sequence
  }
  return countBytes(selectNewestParameterSets(nals))
}

function parseInChunks<T>(input: Buffer, push: (piece: Buffer) => T[]): T[] {
  const pieces = Array.from({ length: Math.ceil(input.length / CHUNK_BYTES) }, (_, i) =>
    input.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  )
  return pieces.flatMap(push)
}

function readFlv(input: Buffer): number {
  const reader = new FlvReader()
  return countBytes(parseInChunks<EncodedFrame>(input, (piece) => reader.push(piece)).flatMap(({ nals }) => nals))
}

function readOgg(input: Buffer): number {
  const reader = new OggReader()
  return countBytes(parseInChunks(input, (piece) => reader.push(piece)))
}

function readClip(input: Buffer): number {
  const tracks = readTracks(input)
  const entries = tracks.reduce((sum, { samples }) => sum + samples.length, 0)
  return entries + cutSegments(tracks).length + buildInitSegment(tracks).length
}

async function readTicket(input: Buffer): Promise<number> {
  const kinds = ['feed', 'viewer', 'upload', 'quote'] as const
  const opened = await Promise.all(kinds.map((kind) => verifyTicket(TICKET_SECRET, kind, input.toString(), 0)))
  return opened.reduce((sum, content) => sum + (content ? JSON.stringify(content).length : 0), 0)
}

function readMoments(input: Buffer): number {
  const parsed = v.safeParse(postMomentsRequest, JSON.parse(input.toString()))
  return parsed.success ? JSON.stringify(parsed.output).length : 0
}

function readMessage(input: Buffer): number {
  const { message, problem } = parseProviderMessage(input.toString())
  return (message ? JSON.stringify(message).length : 0) + (problem?.length ?? 0)
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const bridgeKeyPair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
const bridgeKey = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', bridgeKeyPair.publicKey)))
const channelParameters = { bridgeKey, nonce: 'A'.repeat(22), context: 'bridge\nhome' }
const pageChannel = await openChannelToBridge(channelParameters)

/** Sealed message that this run's channel can open; the tests add it to the corpus. */
export const sealedMessage = Buffer.from(await pageChannel.channel.seal({ ask: 'discover' }))

async function readSealedMessage(input: Buffer): Promise<number> {
  const channel = await openChannelToPage(bridgeKeyPair.privateKey, channelParameters, pageChannel.pageKey)
  return JSON.stringify(await channel.open(input.toString())).length
}

const countBytes = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0)

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  { name: 'soap', parse: readSoap, rejectionErrors: [], result: { each: 8, base: 0 }, work: LINEAR_LIMIT },
  {
    name: 'sdp',
    parse: (input) => getVideoEncoding(input.toString()).length,
    rejectionErrors: [],
    result: { each: 0, base: 40 },
    work: LINEAR_LIMIT,
  },
  {
    name: 'parameter-sets',
    parse: readParameterSets,
    rejectionErrors: [],
    result: { each: 1, base: 0 },
    work: LINEAR_LIMIT,
  },
  { name: 'flv', parse: readFlv, rejectionErrors: ['RangeError'], result: { each: 1, base: 0 }, work: LINEAR_LIMIT },
  { name: 'ogg', parse: readOgg, rejectionErrors: ['RangeError'], result: { each: 1, base: 0 }, work: LINEAR_LIMIT },
  {
    name: 'mp4',
    parse: readClip,
    rejectionErrors: ['RangeError'],
    // A few bytes of a table can declare many equal samples: up to 200,000 in each of four tracks.
    result: { each: 8, base: 900_000 },
    work: { each: 40, base: 30_000_000 },
    families: [buildManyChunks, buildOverlappingTracks],
  },
  { name: 'ticket', parse: readTicket, rejectionErrors: [], result: { each: 1, base: 0 }, work: LINEAR_LIMIT },
  {
    name: 'sealed-box',
    parse: readSealedMessage,
    rejectionErrors: ['InvalidCharacterError', 'OperationError', 'SyntaxError'],
    result: { each: 1, base: 0 },
    work: LINEAR_LIMIT,
  },
  {
    name: 'describer',
    parse: readMoments,
    rejectionErrors: ['SyntaxError'],
    result: { each: 2, base: 2000 },
    work: LINEAR_LIMIT,
  },
  {
    name: 'provider-message',
    parse: readMessage,
    rejectionErrors: [],
    result: { each: 20, base: 2000 },
    work: LINEAR_LIMIT,
  },
]
