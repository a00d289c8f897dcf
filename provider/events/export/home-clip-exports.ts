import type { HomeContext } from '../../homes/feed/home-context.ts'
import { viewFor, type HomeRequester } from '../../billing/plans/event-visibility.ts'
import * as exports from './clip-export-rows.ts'
import type { HomeUpkeep } from '../retention/home-retention.ts'

export class HomeExports {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  clips(asker: HomeRequester, ids: readonly string[]): exports.ExportClip[] {
    return exports.listExportClips(this.home.sql, viewFor(asker, this.home.access.visibleTo(asker.userId)) ?? [], ids)
  }

  recordClipFacts(facts: readonly exports.ClipFacts[]): void {
    exports.recordClipFacts(this.home.sql, facts)
  }

  async put(exportId: string, userId: string, entries: string, now: number): Promise<void> {
    exports.putExport(this.home.sql, exportId, userId, entries, now)
    await this.upkeep.ensureScheduled(now)
  }

  /** Returns the stored entries of the account's export; null without one. */
  read(exportId: string, userId: string): string | null {
    return exports.readExport(this.home.sql, exportId, userId)
  }
}
