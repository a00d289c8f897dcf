import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { keptBuilds, sourceMapFolder, workerMapFolder } from './kept-maps.ts'

/**
 * Matches a stack frame: `at f (https://…/a.js:1:2)` (Chromium, Workers), `f@https://…/a.js:1:2` (other browsers), or
 * only the position.
 */
const FRAME = /^(?:at (?:(.+?) \(|async )?|(.*?)@)?((?:https?|file):\/\/\S+?|[\w./-]+?):(\d+):(\d+)\)?$/
const BUILD = /^\w[\w.-]*$/
const CHUNK = /^\/_astro\/[\w.-]+\.js$/
/** Name of a Worker's only module. */
const MODULE = /(?:^|\/)index\.js$/
/** Path of a source file in a stack frame of a bridge, because bridges run the sources unbundled. */
const SOURCE = /^(?:bridge|contract|scripts|src)\/[\w./-]+\.ts$/
/** Prefix of the source paths in a chunk's source map. */
const UP = /^(?:\.\.\/)+/

/** Stack frame: resolved to a source position, or unchanged with the reason. */
export type Resolved = { readonly text: string; readonly why?: string }

type From = ErrorReport['from']
const WORKERS = { edge: 'portal', provider: 'provider' } as const

/** Resolves frames of one build with its stored source maps; reads each map once. */
export class Frames {
  private readonly root: string
  private readonly isKept: boolean
  private readonly buildId: string
  private readonly maps = new Map<string, SourceMap>()

  constructor(root: string, buildId: string) {
    this.root = root
    this.buildId = buildId
    this.isKept = BUILD.test(buildId) && existsSync(sourceMapFolder(root, buildId))
  }

  /** Resolves a frame. `from`: the source of the report, a browser by default. */
  resolve(frame: string, from: From = 'browser'): Resolved {
    const [, chromium, others, address = '', line, column] = FRAME.exec(frame) ?? []
    if (SOURCE.test(address)) return { text: frame }
    const found = from === 'edge' || from === 'provider' ? this.inWorker(address, WORKERS[from]) : this.inPage(address)
    if (typeof found === 'string') return { text: frame, why: found }
    const entry = found.findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalLine' in entry) || entry.originalSource === undefined)
      return { text: frame, why: 'Its source map does not know this place.' }
    const place = `${entry.originalSource.replace(UP, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    const name = chromium || others
    return { text: name ? `at ${name} (${place})` : `at ${place}` }
  }

  /**
   * Returns the map of a chunk, or the reason why there is none. Falls back to other builds, because chunk names
   * contain a content hash.
   */
  private inPage(address: string): SourceMap | string {
    const chunk = URL.canParse(address) ? new URL(address).pathname : ''
    if (!CHUNK.test(chunk)) return 'It is no file of the pages.'
    const own = BUILD.test(this.buildId) ? [this.buildId] : []
    const folders = [...own, ...keptBuilds(this.root)].map((build) => sourceMapFolder(this.root, build))
    const map = this.firstMap(folders.map((folder) => join(folder, `${chunk}.map`)))
    return map ?? (this.isKept ? `The build has no source map of ${chunk}.` : this.notKept())
  }

  private inWorker(address: string, worker: 'portal' | 'provider'): SourceMap | string {
    if (!MODULE.test(address)) return 'It is no module of ours.'
    if (!this.isKept) return this.notKept()
    const map = this.firstMap([join(workerMapFolder(this.root, this.buildId), `${worker}.js.map`)])
    return map ?? `The build has no source map of the ${worker}.`
  }

  private notKept(): string {
    return `The source maps of build ${this.buildId} are not kept here.`
  }

  private firstMap(paths: readonly string[]): SourceMap | null {
    const path = paths.find((candidate) => existsSync(candidate))
    if (path === undefined) return null
    const map = this.maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
    this.maps.set(path, map)
    return map
  }
}
