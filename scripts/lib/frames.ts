import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { mapsOf } from './kept-maps.ts'

/** `at f (https://…/a.js:1:2)` as Chromium writes it, `f@https://…/a.js:1:2` as the others do. */
const FRAME = /^(?:at (?:(.+?) \()?|(.*?)@)(https?:\/\/\S+?):(\d+):(\d+)\)?$/
const BUILD = /^\w[\w.-]*$/
const CHUNK = /^\/_astro\/[\w.-]+\.js$/
/** Of the folders between a chunk and the sources in its map. */
const UP = /^(?:\.\.\/)+/

/** A frame of a stack: in our source, or as it was told and why no more is known. */
export type Resolved = { readonly text: string; readonly why?: string }

/** Finds frames of one build in its kept source maps; each map is read once. */
export class Frames {
  private readonly folder: string | null
  private readonly buildId: string
  private readonly maps = new Map<string, SourceMap | null>()

  constructor(root: string, buildId: string) {
    this.buildId = buildId
    const folder = mapsOf(root, buildId)
    this.folder = BUILD.test(buildId) && existsSync(folder) ? folder : null
  }

  resolve(frame: string): Resolved {
    const [, chromium, others, address, line, column] = FRAME.exec(frame) ?? []
    const chunk = address !== undefined && URL.canParse(address) ? new URL(address).pathname : ''
    if (!CHUNK.test(chunk)) return { text: frame, why: 'It is no file of the pages.' }
    if (this.folder === null) return { text: frame, why: `The source maps of build ${this.buildId} are not kept here.` }
    const map = this.mapOf(this.folder, chunk)
    if (map === null) return { text: frame, why: `The build has no source map of ${chunk}.` }
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalLine' in entry) || entry.originalSource === undefined)
      return { text: frame, why: 'Its source map does not know this place.' }
    const place = `${entry.originalSource.replace(UP, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    const name = chromium || others
    return { text: name ? `at ${name} (${place})` : `at ${place}` }
  }

  private mapOf(folder: string, chunk: string): SourceMap | null {
    const known = this.maps.get(chunk)
    if (known !== undefined) return known
    const path = join(folder, `${chunk}.map`)
    const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null
    this.maps.set(chunk, map)
    return map
  }
}
