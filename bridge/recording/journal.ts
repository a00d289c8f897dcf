import { open, rm, type FileHandle } from 'node:fs/promises'
import * as v from 'valibot'
import { deviceId, id, timestampMs } from '../../contract/wire/envelope.ts'
import { readFileBytes } from '../runtime/durable-files.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import { countBytes } from './pre-roll-buffer.ts'

const journalHeaderSchema = v.object({ event_id: id, device_id: deviceId, begin: timestampMs })
export type JournalHeader = v.InferOutput<typeof journalHeaderSchema>

/**
 * Bytes of a record header: length of the rest (4), kind (1), time in ms (8). Then follow the NAL units of a frame or
 * one audio packet, each preceded by its length.
 */
const RECORD_HEADER_BYTES = 4 + 1 + 8
const RECORD_KIND = { picture: 0, keyframe: 1, sound: 2 } as const

/**
 * Crash-safe file of a recording in progress: appends frames one GOP at a time, so that a crash loses at most the last
 * GOP. The first line identifies the recording.
 */
export class Journal {
  readonly path: string
  bytes = 0
  readonly #file: FileHandle
  #gop: Buffer[] = []
  #lastWrite: Promise<void> = Promise.resolve()
  #failure: Error | undefined

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** Creates the journal file and writes its first line. Throws file system errors such as ENOSPC. */
  static async open(path: string, head: JournalHeader): Promise<Journal> {
    const file = await open(path, 'w')
    try {
      await file.writeFile(`${JSON.stringify(head)}\n`)
      await file.sync()
      return new Journal(path, file)
    } catch (error) {
      await file.close()
      await rm(path, { force: true })
      throw error
    }
  }

  add(unit: AccessUnit): void {
    if (unit.keyframe) this.#flush()
    this.bytes += countBytes(unit)
    this.#gop.push(encodeRecord(unit.keyframe ? RECORD_KIND.keyframe : RECORD_KIND.picture, unit.pts, unit.nals))
    for (const { data, pts } of unit.sound ?? []) this.#gop.push(encodeRecord(RECORD_KIND.sound, pts, [data]))
  }

  /** Resolves when all frames are on disk. Rejects if writing a frame failed; earlier frames stay stored. */
  async close(): Promise<void> {
    this.#flush()
    await this.#lastWrite
    await this.#file.close()
    if (this.#failure !== undefined) throw this.#failure
  }

  #flush(): void {
    const block = Buffer.concat(this.#gop)
    this.#gop = []
    if (block.length === 0 || this.#failure !== undefined) return
    this.#lastWrite = this.#lastWrite.then(async () => {
      try {
        await this.#file.writeFile(block)
        await this.#file.datasync()
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error))
      }
    })
  }
}

function encodeRecord(kind: number, pts: number, nals: readonly Buffer[]): Buffer {
  const size = nals.reduce((sum, nal) => sum + 4 + nal.length, RECORD_HEADER_BYTES)
  const record = Buffer.allocUnsafe(size)
  record.writeUInt32BE(size - 4, 0)
  record.writeUInt8(kind, 4)
  record.writeDoubleBE(pts, 5)
  let at = RECORD_HEADER_BYTES
  for (const nal of nals) {
    at = record.writeUInt32BE(nal.length, at)
    at += nal.copy(record, at)
  }
  return record
}

/**
 * Reads a journal up to the first record that a crash left incomplete. Returns undefined if the first line is damaged.
 */
export async function readJournal(path: string): Promise<{ head: JournalHeader; units: AccessUnit[] } | undefined> {
  const data = await readFileBytes(path, READ_BYTES_MAX.recording)
  const line = data.indexOf(10)
  try {
    const head = v.parse(journalHeaderSchema, JSON.parse(data.toString('utf8', 0, Math.max(0, line))))
    return { head, units: readUnits(data.subarray(line + 1)) }
  } catch {
    return undefined
  }
}

/** Decodes records up to the first incomplete one, because a power cut may leave zeros in place of data. */
function readUnits(data: Buffer): AccessUnit[] {
  const units: (AccessUnit & { sound: AudioPacket[] })[] = []
  for (let at = 0; at + RECORD_HEADER_BYTES <= data.length;) {
    const end = at + 4 + data.readUInt32BE(at)
    const nals = end <= data.length ? readNals(data.subarray(at + RECORD_HEADER_BYTES, end)) : undefined
    if (!nals) break
    const kind = data.readUInt8(at + 4)
    const pts = data.readDoubleBE(at + 5)
    if (kind === RECORD_KIND.sound) units.at(-1)?.sound.push(...nals.map((packet) => ({ data: packet, pts })))
    else units.push({ nals, keyframe: kind === RECORD_KIND.keyframe, pts, sound: [] })
    at = end
  }
  return units
}

/**
 * Splits a record into NAL units. Returns undefined if the NAL units do not fill the record exactly, or if a NAL unit
 * is empty.
 */
function readNals(record: Buffer): Buffer[] | undefined {
  const nals: Buffer[] = []
  for (let at = 0; at < record.length;) {
    const end = at + 4 <= record.length ? at + 4 + record.readUInt32BE(at) : Infinity
    if (end > record.length || end === at + 4) return undefined
    nals.push(record.subarray(at + 4, end))
    at = end
  }
  return nals.length > 0 ? nals : undefined
}
