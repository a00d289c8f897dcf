import * as v from 'valibot'
import { OggReader } from '../../bridge/media/audio/ogg-reader.ts'
import { getAttribute, elements, getElementText } from '../../bridge/discovery/xml.ts'
import { nalType, NAL, splitNals, type Picture } from '../../bridge/media/h264/annex-b.ts'
import { FlvReader } from '../../bridge/media/h264/flv-reader.ts'
import { PictureOrder } from '../../bridge/media/h264/picture-order-count.ts'
import { newestSets } from '../../bridge/media/h264/parameter-sets.ts'
import { readSequence } from '../../bridge/media/h264/sps.ts'
import { describedVideo } from '../../bridge/sources/sdp.ts'
import { readProviderMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import { postMoments } from '../../contract/bridge/event-descriptions.ts'
import { channelToBridge, channelToPage, encodeBytes } from '../../contract/bridge/sealed-channel.ts'
import { openTicket } from '../../provider/platform/tickets/tickets.ts'
import { cutSegments, initSegment } from '../../provider/media/hls-segments.ts'
import { readTracks } from '../../provider/media/mp4-samples.ts'
import { captureOutcome } from '../support/cases.ts'
import { manyChunks, overlappingTracks } from './clips.ts'

/** A parser of untrusted bytes. Its corpus is the folder `tests/fuzz/corpus/{name}`. */
export interface Target {
  readonly name: string
  /** Parses as the product does. Returns the size of the result in characters, bytes or entries. */
  readonly read: (input: Buffer) => number | Promise<number>
  /** Names of the errors with which the parser rejects an input. */
  readonly refusals: readonly string[]
  /** Maximum size of the result: `each` per input byte, plus the constant `base`. */
  readonly result: { readonly each: number; readonly base: number }
  /** Maximum work, as counted by `measureWork`: `each` per input byte, plus the constant `base`. */
  readonly work: { readonly each: number; readonly base: number }
  /**
   * Builders of valid inputs of about the given length that random changes do not produce. Parsing these inputs takes
   * less than ten units of work per byte.
   */
  readonly families?: readonly ((length: number) => Buffer)[]
}

const LINEAR = { each: 40, base: 50_000 }
const SECRET = 'fuzz'
/** Bytes per chunk that a parser receives: small, as a pipe may deliver them. */
const CHUNK = 64

function readSoap(input: Buffer): number {
  const xml = input.toString()
  const found = ['Profiles', 'Media', 'UTCDateTime'].flatMap((name) => elements(xml, name, 16))
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
    order.readCount({ nals: [nal], keyframe: nalType(nal) === NAL.idr })
    const sequence = nalType(nal) === NAL.sps ? captureOutcome(() => readSequence(nal)) : undefined
    if (sequence instanceof Error && !(sequence instanceof RangeError)) throw sequence
  }
  return countBytes(newestSets(nals))
}

function readPieces<T>(input: Buffer, push: (piece: Buffer) => T[]): T[] {
  const pieces = Array.from({ length: Math.ceil(input.length / CHUNK) }, (_, i) =>
    input.subarray(i * CHUNK, (i + 1) * CHUNK),
  )
  return pieces.flatMap(push)
}

function readFlv(input: Buffer): number {
  const reader = new FlvReader()
  return countBytes(readPieces<Picture>(input, (piece) => reader.push(piece)).flatMap(({ nals }) => nals))
}

function readOgg(input: Buffer): number {
  const reader = new OggReader()
  return countBytes(readPieces(input, (piece) => reader.push(piece)))
}

function readClip(input: Buffer): number {
  const tracks = readTracks(input)
  const entries = tracks.reduce((sum, { samples }) => sum + samples.length, 0)
  return entries + cutSegments(tracks).length + initSegment(tracks).length
}

async function readTicket(input: Buffer): Promise<number> {
  const kinds = ['feed', 'viewer', 'upload', 'quote'] as const
  const opened = await Promise.all(kinds.map((kind) => openTicket(SECRET, kind, input.toString(), 0)))
  return opened.reduce((sum, content) => sum + (content ? JSON.stringify(content).length : 0), 0)
}

function readMoments(input: Buffer): number {
  const parsed = v.safeParse(postMoments, JSON.parse(input.toString()))
  return parsed.success ? JSON.stringify(parsed.output).length : 0
}

function readMessage(input: Buffer): number {
  const { message, problem } = readProviderMessage(input.toString())
  return (message ? JSON.stringify(message).length : 0) + (problem?.length ?? 0)
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
const bridgeKey = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
const parties = { bridgeKey, nonce: 'A'.repeat(22), context: 'bridge\nhome' }
const page = await channelToBridge(parties)

/** Sealed message that this run's channel can open; the tests add it to the corpus. */
export const sealedBox = Buffer.from(await page.channel.seal({ ask: 'discover' }))

async function readBox(input: Buffer): Promise<number> {
  const channel = await channelToPage(pair.privateKey, parties, page.pageKey)
  return JSON.stringify(await channel.open(input.toString())).length
}

const countBytes = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0)

export const TARGETS: readonly Target[] = [
  { name: 'soap', read: readSoap, refusals: [], result: { each: 8, base: 0 }, work: LINEAR },
  {
    name: 'sdp',
    read: (input) => describedVideo(input.toString()).length,
    refusals: [],
    result: { each: 0, base: 40 },
    work: LINEAR,
  },
  { name: 'parameter-sets', read: readParameterSets, refusals: [], result: { each: 1, base: 0 }, work: LINEAR },
  { name: 'flv', read: readFlv, refusals: ['RangeError'], result: { each: 1, base: 0 }, work: LINEAR },
  { name: 'ogg', read: readOgg, refusals: ['RangeError'], result: { each: 1, base: 0 }, work: LINEAR },
  {
    name: 'mp4',
    read: readClip,
    refusals: ['RangeError'],
    // A few bytes of a table can declare many equal samples: up to 200,000 in each of four tracks.
    result: { each: 8, base: 900_000 },
    work: { each: 40, base: 30_000_000 },
    families: [manyChunks, overlappingTracks],
  },
  { name: 'ticket', read: readTicket, refusals: [], result: { each: 1, base: 0 }, work: LINEAR },
  {
    name: 'sealed-box',
    read: readBox,
    refusals: ['InvalidCharacterError', 'OperationError', 'SyntaxError'],
    result: { each: 1, base: 0 },
    work: LINEAR,
  },
  { name: 'describer', read: readMoments, refusals: ['SyntaxError'], result: { each: 2, base: 2000 }, work: LINEAR },
  { name: 'provider-message', read: readMessage, refusals: [], result: { each: 20, base: 2000 }, work: LINEAR },
]
