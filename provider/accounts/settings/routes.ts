import type { Hono } from 'hono'
import * as v from 'valibot'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { getLiveLayouts, savedLayout, setLiveLayouts } from '../../../contract/live/saved-layouts.ts'
import {
  getConfAndSetting,
  DEVICE_MODELS,
  getDeviceModels,
  setCameraListFilter,
  getSupportedDevices,
} from '../../../contract/cameras/device-models.ts'
import { setHomeTimeZone } from '../../../contract/account/home-time-zone.ts'
import { setT3List } from '../../../contract/account/t3-list.ts'
import type { AppEnv, Env } from '../../env.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { listCameraAccess } from '../../homes/members/camera-access.ts'
import { serveCall, serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { storeHomeTimeZone } from '../stored-settings/home-time-zone.ts'
import { readSetting, writeSetting } from '../stored-settings/setting-rows.ts'
import { setOnT3List } from './t3-list.ts'

const CAMERA_MAX = 99
const FILTER_SETTING = 'CameraListFilter'
const filterSchema = v.array(v.string())
const LAYOUTS_SETTING = 'LiveLayouts'
const layoutsSchema = v.array(savedLayout)
const CATEGORY_NAME = 'Cameras'
const RESOLUTIONS = ['360', '720']

export function platformRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getConfAndSetting, async ({ env, account }) => {
    const filterCamerasMac = await readSetting(env.DB, account.userId, FILTER_SETTING, filterSchema)
    const cameraListFilter = filterCamerasMac && { filterCamerasMac }
    return { conf: { camera_max: CAMERA_MAX }, setting: { CameraListFilter: cameraListFilter } }
  })
  serveCallWithAccess(app, setCameraListFilter, async ({ env, access, input }) => {
    const filterCamerasMac = filterVisible(access, input.filterCamerasMac)
    await writeSetting(env.DB, access.userId, FILTER_SETTING, filterCamerasMac)
    await publishSettingsChange(env, access)
    return { filterCamerasMac }
  })
  serveCall(app, getLiveLayouts, async ({ env, account }) => ({
    layouts: (await readSetting(env.DB, account.userId, LAYOUTS_SETTING, layoutsSchema)) ?? [],
  }))
  serveCall(app, setLiveLayouts, async ({ env, account, input: { layouts } }) => {
    await writeSetting(env.DB, account.userId, LAYOUTS_SETTING, layouts)
    return { layouts }
  })
  serveCall(app, setT3List, async ({ env, account, input: { joined } }) => {
    await setOnT3List(env.DB, account.userId, joined)
    return { joined }
  })
  serveCall(app, setHomeTimeZone, async ({ env, account, input }) => ({
    time_zone: await storeHomeTimeZone(env.DB, account.userId, input),
  }))
  serveCall(app, getSupportedDevices, ({ input }) => {
    const device_models = listDeviceModels([input.channel]).map(({ model }) => model)
    return device_models.length > 0 ? [{ category: 'camera', name: CATEGORY_NAME, device_models }] : []
  })
  serveCall(app, getDeviceModels, ({ input }) => {
    const channels = input.channel?.split(',').map((name) => name.trim())
    const devices = listDeviceModels(channels).map(({ model: device_model, name, dual, battery }) => ({
      device_model,
      name,
      dual,
      battery,
      resolutions: RESOLUTIONS,
    }))
    return [{ name: CATEGORY_NAME, devices }]
  })
}

async function publishSettingsChange(env: Env, { userId, homes: [home] }: AccountAccess): Promise<void> {
  const message: FeedMessage = { type: 'settings' }
  if (home) await homeStub(env, home.home_id).forward(userId, JSON.stringify(message))
}

function listDeviceModels(channels: readonly string[] | undefined) {
  if (channels === undefined) return [...DEVICE_MODELS]
  return DEVICE_MODELS.filter((model) => model.channels.some((channel) => channels.includes(channel)))
}

function filterVisible(access: AccountAccess, ids: readonly string[]): string[] {
  const visibleIds = new Set(listCameraAccess(access, ids).map(({ device_id }) => device_id))
  return [...new Set(ids)].filter((id) => visibleIds.has(id))
}
