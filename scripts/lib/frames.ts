import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { listStoredBuilds, getSourceMapFolder, getWorkerMapFolder } from './source-maps.ts'

/**
 * Matches a stack frame: `at f (https://…/a.js:1:2)` (Chromium, Workers), `f@https://…/a.js:1:2` (other browsers), or
 * only the position.
 */
const STACK_FRAME_PATTERN = /^(?:at (?:(.+?) \(|async )?|(.*?)@)?((?:https?|file):\/\/\S+?|[\w./-]+?):(\d+):(\d+)\)?$/
const BUILD_ID_PATTERN = /^\w[\w.-]*$/
const CHUNK_PATH_PATTERN = /^\/_astro\/[\w.-]+\.js$/
/** Matches the path of a Worker's only module. */
const WORKER_MODULE_PATTERN = /(?:^|\/)index\.js$/
/** Matches the path of a source file. Frames of a bridge have such paths, because bridges run unbundled sources. */
const SOURCE_PATH_PATTERN = /^(?:bridge|contract|scripts|src)\/[\w./-]+\.ts$/
/** Matches the `../` prefix of source paths in a chunk's source map. */
const PARENT_FOLDERS_PATTERN = /^(?:\.\.\/)+/

/** Stack frame with a source position, or an unresolved frame with the reason (`why`). */
export type ResolvedFrame = { readonly text: string; readonly why?: string }

type ReportSource = ErrorReport['from']
const WORKER_BY_REPORT_SOURCE = { edge: 'portal', provider: 'provider' } as const

/** Resolves frames of one build with its stored source maps; reads each map once. */
export class FrameResolver {
  readonly #root: string
  readonly #hasMaps: boolean
  readonly #buildId: string
  readonly #maps = new Map<string, SourceMap>()

  constructor(root: string, buildId: string) {
    this.#root = root
    this.#buildId = buildId
    this.#hasMaps = BUILD_ID_PATTERN.test(buildId) && existsSync(getSourceMapFolder(root, buildId))
  }

  /** Resolves a frame. `from`: the source of the report, a browser by default. */
  resolve(frame: string, from: ReportSource = 'browser'): ResolvedFrame {
    const [, chromiumName, otherName, url = '', line, column] = STACK_FRAME_PATTERN.exec(frame) ?? []
    if (SOURCE_PATH_PATTERN.test(url)) return { text: frame }
    const mapOrReason =
      from === 'edge' || from === 'provider'
        ? this.#findWorkerMap(url, WORKER_BY_REPORT_SOURCE[from])
        : this.#findPageMap(url)
    if (typeof mapOrReason === 'string') return { text: frame, why: mapOrReason }
    const entry = mapOrReason.findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalLine' in entry) || entry.originalSource === undefined)
      return { text: frame, why: 'The source map has no entry for this position.' }
    const position = `${entry.originalSource.replace(PARENT_FOLDERS_PATTERN, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    const name = chromiumName || otherName
    return { text: name ? `at ${name} (${position})` : `at ${position}` }
  }

  /**
   * Returns the map of a chunk, or the reason why there is none. Also searches other builds: a chunk name contains a
   * content hash, so an equal name means equal code.
   */
  #findPageMap(url: string): SourceMap | string {
    const chunk = URL.canParse(url) ? new URL(url).pathname : ''
    if (!CHUNK_PATH_PATTERN.test(chunk)) return "This file isn't a portal script."
    const own = BUILD_ID_PATTERN.test(this.#buildId) ? [this.#buildId] : []
    const folders = [...own, ...listStoredBuilds(this.#root)].map((build) => getSourceMapFolder(this.#root, build))
    const map = this.#loadFirstMap(folders.map((folder) => join(folder, `${chunk}.map`)))
    return map ?? (this.#hasMaps ? `The build has no source map for ${chunk}.` : this.#explainMissingMaps())
  }

  #findWorkerMap(url: string, worker: 'portal' | 'provider'): SourceMap | string {
    if (!WORKER_MODULE_PATTERN.test(url)) return `This module isn't part of the ${worker}.`
    if (!this.#hasMaps) return this.#explainMissingMaps()
    const map = this.#loadFirstMap([join(getWorkerMapFolder(this.#root, this.#buildId), `${worker}.js.map`)])
    return map ?? `The build has no source map for the ${worker}.`
  }

  #explainMissingMaps(): string {
    return `The source maps for build ${this.#buildId} aren't stored on this computer.`
  }

  #loadFirstMap(paths: readonly string[]): SourceMap | null {
    const path = paths.find((candidate) => existsSync(candidate))
    if (path === undefined) return null
    const map = this.#maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
    this.#maps.set(path, map)
    return map
  }
}
