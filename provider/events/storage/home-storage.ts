import type { HomeStorage, StorageDeletion, StorageLimits } from '../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import type { HomePlans } from '../../billing/plans/entitlements.ts'
import { resolveEntitlements } from '../../billing/plans/entitlements.ts'
import { FREE_RETENTION_DAYS } from '../../../contract/billing/plan-catalog.ts'
import { listDeviceRows } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import type { HomeRetention } from '../retention/home-retention.ts'
import { previewDeletion } from './camera-limits.ts'
import { getLimitBytes, type StorageLimit } from './storage-limit.ts'
import { listLimits, listStoredDays, readLimits, writeLimits } from './storage-rows.ts'

/** Complete days that the average of bytes per day covers at most. */
const RATE_DAYS = 7

/** Part of `Home` for the storage of clips: usage, and the owner's limits per camera. */
export class HomeStorageSettings {
  readonly #home: HomeContext
  readonly #retention: HomeRetention

  constructor(home: HomeContext, retention: HomeRetention) {
    this.#home = home
    this.#retention = retention
  }

  /** Returns the usage and the limits of the home's cameras, without the home's id. The caller checks the owner. */
  read(plans: HomePlans, limit: StorageLimit | null, now: number): Omit<HomeStorage, 'home_id'> {
    const { sql } = this.#home
    const rows = listDeviceRows(sql)
    const entitlements = resolveEntitlements(
      plans,
      rows.map(({ device_id }) => device_id),
      now,
    )
    const cameras = rows.map(({ device_id, nickname }) => ({
      device_id,
      nickname,
      ...this.#measure(device_id, now),
      plan_days: entitlements.get(device_id)?.keepsDays ?? FREE_RETENTION_DAYS,
      ...readLimits(sql, device_id),
    }))
    const room_bytes = this.#findRoom(limit)
    const fits_days = findSharedDays(cameras, room_bytes)
    return {
      bytes: sumBytes(cameras),
      room_bytes,
      fits_days,
      disk: limit?.kind === 'disk' ? { free_bytes: limit.freeBytes, reserve_bytes: limit.reserveBytes } : null,
      cameras: cameras.map((camera) => ({
        ...camera,
        fits_days: camera.max_bytes === null ? fits_days : divideDays(camera.max_bytes, camera.bytes_per_day),
      })),
    }
  }

  #measure(deviceId: string, now: number) {
    const days = listStoredDays(this.#home.sql, deviceId)
    const today = Math.floor(now / DAY_MS)
    const firstDay = Math.max(today - RATE_DAYS, days.at(-1)?.day ?? today)
    const completeDays = days.filter(({ day }) => day >= firstDay && day < today)
    return {
      bytes: sumBytes(days),
      clips: days.reduce((sum, { clips }) => sum + clips, 0),
      bytes_per_day: firstDay < today ? Math.round(sumBytes(completeDays) / (today - firstDay)) : null,
    }
  }

  /** Returns the bytes that clips may still use; null without a limit, or before the first measurement of storage. */
  #findRoom(limit: StorageLimit | null): number | null {
    if (limit === null) return null
    const { media_bytes = null } = this.#home.sql
      .exec<{ media_bytes: number | null }>('SELECT media_bytes FROM self')
      .toArray()[0] ?? { media_bytes: null }
    if (limit.kind === 'disk') return Math.max(0, limit.freeBytes - limit.reserveBytes)
    return media_bytes === null ? null : Math.max(0, getLimitBytes(limit, media_bytes) - media_bytes)
  }

  listLimits() {
    return listLimits(this.#home.sql)
  }

  previewLimits(deviceId: string, limits: StorageLimits, now: number): StorageDeletion {
    return previewDeletion(this.#home.sql, deviceId, limits, now)
  }

  /** Stores the limits of a camera and starts to delete what exceeds them. Returns false if nothing changed. */
  async setLimits(deviceId: string, limits: StorageLimits, now: number): Promise<boolean> {
    if (!writeLimits(this.#home.sql, deviceId, limits)) return false
    await this.#retention.runSoon(now)
    return true
  }
}

interface CameraUsage {
  readonly bytes: number
  readonly bytes_per_day: number | null
  readonly max_bytes: number | null
}

/** Returns the days that fit in the cameras without a limit in bytes; null if unknown. */
function findSharedDays(cameras: readonly CameraUsage[], roomBytes: number | null): number | null {
  const sharing = cameras.filter(({ max_bytes }) => max_bytes === null)
  if (roomBytes === null) return null
  const bytesPerDay = sharing.reduce((sum, { bytes_per_day }) => sum + (bytes_per_day ?? 0), 0)
  return divideDays(sumBytes(sharing) + roomBytes, bytesPerDay)
}

const divideDays = (bytes: number, bytesPerDay: number | null): number | null =>
  bytesPerDay === null || bytesPerDay === 0 ? null : Math.floor(bytes / bytesPerDay)

const sumBytes = (all: readonly { bytes: number }[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0)
