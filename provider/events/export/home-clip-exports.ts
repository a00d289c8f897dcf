import type { HomeContext } from '../../homes/feed/home-context.ts'
import { viewFor, type HomeRequester } from '../../billing/plans/event-visibility.ts'
import * as exports from './clip-export-rows.ts'
import type { HomeUpkeep } from '../retention/home-retention.ts'

/** The part of a home that keeps what is packed for a download. */
export class HomeExports {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Clips of events among the ids that the account may see, with what is known of their bytes. */
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

  /** Entries of an export of the account as they were put; null without it. */
  read(exportId: string, userId: string): string | null {
    return exports.readExport(this.home.sql, exportId, userId)
  }
}
