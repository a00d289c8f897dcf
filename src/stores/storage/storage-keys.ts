import { PUBLIC_PAGE_KEYS } from './safe-storage.ts'

export { safeLocalStorage, safeSessionStorage, TAB_KEYS } from './safe-storage.ts'

/** Session storage keys for notices that this tab has already shown. */
export const NOTICE_KEYS = { storage: 'storage_told', ends: 'ends_told' } as const

/**
 * Storage keys of the portal; the other modules in this folder contain further keys. Names that the spec prescribes are
 * literal; the others follow the spec's store names (OPEN-43).
 */
export const STORAGE_KEYS = {
  ...PUBLIC_PAGE_KEYS,
  /** Id of the user whose data is stored here. The id stays after the session has expired. */
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
  /** BCP 47 locale whose date and time formats the owner chose; absent: the browser's. boot/page/protected-page.ts reads it. */
  formats: 'browser_formats',
} as const
