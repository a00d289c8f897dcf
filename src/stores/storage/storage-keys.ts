import { FIRST_KEYS } from './safe-storage.ts'

export { local, tab, TAB_KEYS } from './safe-storage.ts'

/** What has been said once in this tab, in session storage. */
export const TOLD_KEYS = { storage: 'storage_told', ends: 'ends_told' } as const

/**
 * Every key that the portal keeps in browser storage. Names given by the spec stay literal, the others are named as the spec
 * names the store (OPEN-43).
 */
export const KEYS = {
  ...FIRST_KEYS,
  /** Whose data is kept here, also after the session has ended by itself. */
  keptFor: 'kept_for',
  userRole: 'userRole',
  freeView: 'isFreeView',
  homeId: 'home_id',
  userCameras: 'user-cameras',
  filterCameras: 'filterCamerasStore',
  liveLayout: 'liveLayout',
  livePins: 'livePins',
  zoomHints: 'zoomHints',
  models: 'modelsStore',
  modelIds: 'modelIdsStore',
  routeParams: 'routeParams',
  eventTags: 'eventTags',
  feedBack: 'feedBack',
  feedbackSwitch: 'feedbackSwitch',
  videoSearch: 'videoSearchSettings',
  actionLog: 'action_log',
} as const
