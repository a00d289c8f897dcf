import { FIRST_KEYS } from './safe-storage.ts'

export { local, tab, TAB_KEYS } from './safe-storage.ts'

/** Notices already shown in this tab, in session storage. */
export const TOLD_KEYS = { storage: 'storage_told', ends: 'ends_told' } as const

/**
 * All keys of the portal in browser storage. Names from the spec stay literal; the others follow the spec's store names
 * (OPEN-43).
 */
export const KEYS = {
  ...FIRST_KEYS,
  /** User whose data is stored here, also after the session has expired. */
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
