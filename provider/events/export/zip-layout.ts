/** File of an archive, stored uncompressed. `at`: ms UTC. */
export interface ZipFile {
  readonly name: string
  readonly bytes: number
  readonly crc: number
  readonly at: number
}

export type ZipPart = { readonly made: Uint8Array<ArrayBuffer> } | { readonly file: number; readonly bytes: number }

const LOCAL_HEADER_SIGNATURE = 0x04034b50
const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
const END_RECORD_SIGNATURE = 0x06054b50
const ZIP_VERSION = 20
/** General purpose bit flag of a zip entry: file names are UTF-8. */
const UTF8_FLAG = 0x0800

export const getPartLength = (part: ZipPart) => ('made' in part ? part.made.length : part.bytes)

/**
 * Builds the layout of an uncompressed zip file, so that its length is known before any file is read. The caller must
 * keep the zip file below 4 GB and 65,536 files.
 */
export function buildZipLayout(files: readonly ZipFile[]): ZipPart[] {
  const parts: ZipPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const [file, zipFile] of files.entries()) {
    const name = new TextEncoder().encode(zipFile.name)
    const local = buildHeader(30, LOCAL_HEADER_SIGNATURE, zipFile, name, 4)
    directory.push(buildDirectoryEntry(zipFile, name, offset))
    parts.push({ made: local }, { file, bytes: zipFile.bytes })
    offset += local.length + zipFile.bytes
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0)
  return [...parts, ...directory.map((made) => ({ made })), { made: buildEndRecord(files.length, size, offset) }]
}

/**
 * Builds a local header or a directory entry. `commonFieldsOffset`: offset of the fields that both have in common.
 * `length`: header length without the name.
 */
function buildHeader(
  length: number,
  signature: number,
  file: ZipFile,
  name: Uint8Array,
  commonFieldsOffset: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length + name.length)
  const view = new DataView(bytes.buffer)
  const { date, time } = toDosTime(file.at)
  view.setUint32(0, signature, true)
  const shorts = [ZIP_VERSION, UTF8_FLAG, 0, time, date]
  for (const [i, value] of shorts.entries()) view.setUint16(commonFieldsOffset + 2 * i, value, true)
  for (const [i, value] of [file.crc, file.bytes, file.bytes].entries())
    view.setUint32(commonFieldsOffset + 10 + 4 * i, value, true)
  view.setUint16(commonFieldsOffset + 22, name.length, true)
  bytes.set(name, length)
  return bytes
}

function buildDirectoryEntry(file: ZipFile, name: Uint8Array, offset: number): Uint8Array<ArrayBuffer> {
  const bytes = buildHeader(46, DIRECTORY_ENTRY_SIGNATURE, file, name, 6)
  const view = new DataView(bytes.buffer)
  view.setUint16(4, ZIP_VERSION, true)
  view.setUint32(42, offset, true)
  return bytes
}

function buildEndRecord(count: number, size: number, offset: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(22)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, END_RECORD_SIGNATURE, true)
  view.setUint16(8, count, true)
  view.setUint16(10, count, true)
  view.setUint32(12, size, true)
  view.setUint32(16, offset, true)
  return bytes
}

/** Converts ms UTC to a zip time. Zip times have no time zone, a resolution of 2 s, and start in 1980. */
function toDosTime(at: number): { date: number; time: number } {
  const day = new Date(Math.max(at, Date.UTC(1980, 0, 1)))
  return {
    date: ((day.getUTCFullYear() - 1980) << 9) | ((day.getUTCMonth() + 1) << 5) | day.getUTCDate(),
    time: (day.getUTCHours() << 11) | (day.getUTCMinutes() << 5) | (day.getUTCSeconds() >> 1),
  }
}
