import type { HomeContext } from '../../homes/feed/home-context.ts'
import { getEventVisibility, type HomeRequester } from '../../billing/plans/event-visibility.ts'
import * as exports from './clip-export-rows.ts'
import type { HomeRetention } from '../retention/home-retention.ts'

export class HomeClipExports {
  readonly #home: HomeContext
  readonly #retention: HomeRetention

  constructor(home: HomeContext, retention: HomeRetention) {
    this.#home = home
    this.#retention = retention
  }

  listClips(requester: HomeRequester, ids: readonly string[]): exports.ExportClip[] {
    return exports.listExportClips(
      this.#home.sql,
      getEventVisibility(requester, this.#home.access.findVisibleCameras(requester.userId)) ?? [],
      ids,
    )
  }

  recordClipChecksums(checksums: readonly exports.ClipChecksum[]): void {
    exports.recordClipChecksums(this.#home.sql, checksums)
  }

  async put(exportId: string, userId: string, entries: string, now: number): Promise<void> {
    exports.putExport(this.#home.sql, exportId, userId, entries, now)
    await this.#retention.ensureScheduled(now)
  }

  read(exportId: string, userId: string): string | null {
    return exports.readExport(this.#home.sql, exportId, userId)
  }
}
