import { DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { EVENT_SPAN_MAX_MS } from '../../contract/events/events.ts'
import { RECENT_TIME_MS } from './home.ts'

const EVENT_QUERY = {
  begin_time: 0,
  end_time: EVENT_SPAN_MAX_MS,
  count: EVENT_QUERY_COUNT,
  device_id_list: ['door_a'],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}
export const SEARCH_INPUT = {
  device_macs_to_include: ['door_a'],
  event_tags_to_include: [],
  start_ts: 0,
  end_ts: EVENT_SPAN_MAX_MS,
  limit: SEARCH_LIMIT,
  query: 'person',
}
export const SEARCH_FEEDBACK = {
  is_search_result_accurate: true,
  feedback_message: '',
  feedback_category_id: '',
  query: 'three',
}
const REPLAY_INPUT = {
  device_id: 'door_a',
  product_model: 'PL-1',
  start_time: String(RECENT_TIME_MS),
  end_time: String(RECENT_TIME_MS + 9),
  resource_version: '1',
  resource_type: 's3',
  is_live: 'false',
}

const FEEDBACK_VIDEO_INPUT = {
  event_begin_ts: 1,
  event_end_ts: 9,
  stage: 'submit',
  data: {
    device_info: { device_id: 'door_a', product_model: 'PL-1' },
    alarm_type: '101',
    collect_channel: 'web',
    reported_tags: ['102'],
    extra_info: { app_version: '1', user_agent: 'Tester' },
    service: 1,
  },
}
const WAKE_INPUT = {
  targetInfo: { id: 'door_a', type: 'DEVICE', productModel: 'PL-1' },
  capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view', in: {} }] }],
  transactionId: 't1',
}

/**
 * Input of a call that household `a` sends. `nobodys`: the call also succeeds if household `b` sends this input, in
 * most cases because the input names no resources. A null entry in `CALL_INPUTS` stands for an empty input with
 * `nobodys`. `leavesOut`: the call also succeeds for household `b`, but its response omits the resources of `a`.
 */
export interface CallInput {
  input: Record<string, unknown>
  params?: Record<string, string>
  nobodys?: true
  leavesOut?: true
}
const CANCELLATION_INPUT = { subscription_id: 'user_a', revision: 0, intent: 'intent_of_leaving_it' }

export const CALL_INPUTS: Record<string, CallInput | null> = {
  'CALL-04': { input: { code: 'WELCOME20' }, nobodys: true },
  'CALL-05': { input: { code: 'CREDIT20', option_id: 'credit', intent: 'an_intent_of_the_test' }, nobodys: true },
  'CALL-08': { input: {}, params: { uuid: 'user_a' } },
  'CALL-11': { input: { kind: 'payment_methods' }, params: { billing_provider: 'recurring' }, nobodys: true },
  'CALL-24': { input: { event_id: 'event_a', device_id: 'door_a' } },
  'CALL-26': { input: REPLAY_INPUT },
  'CALL-27': null,
  'CALL-28': { input: { device_category: 'camera', env: 'beta', home_id: 'home_a' } },
  'CALL-29': { input: { device_macs: ['door_a'] }, leavesOut: true },
  'CALL-30': { input: { device_list: [{ device_id: 'door_a' }] } },
  'CALL-31': { input: WAKE_INPUT },
  'CALL-32': null,
  'CALL-33': { input: { filterCamerasMac: ['door_a'] }, leavesOut: true },
  'CALL-34': { input: { channel: 'web' }, nobodys: true },
  'CALL-35': null,
  'CALL-36': null,
  'CALL-37': { input: EVENT_QUERY, leavesOut: true },
  'CALL-38': { input: EVENT_QUERY, leavesOut: true },
  'CALL-25': { input: { ...REPLAY_INPUT, is_live: 'true' } },
  'CALL-39': { input: { event_id_list: ['event_a'] }, nobodys: true },
  'CALL-40': { input: { include_shared: 'true' }, nobodys: true },
  'CALL-43': { input: { event_ids: ['event_a'] }, nobodys: true },
  'CALL-44': { input: { feedback: 'wrong' }, params: { event_id: 'event_a' } },
  'CALL-45': { input: FEEDBACK_VIDEO_INPUT, params: { deviceMac: 'door_a', eventId: 'event_a' } },
  'CALL-41': { input: { did: 'door_a', resolution: '360p' } },
  'CALL-42': { input: { did: 'door_a', action: 'exchange_pip', params: 'pip' } },
  'CALL-46': { input: SEARCH_INPUT, leavesOut: true },
  'CALL-47': null,
  'CALL-50': { input: { version: 'v1' }, nobodys: true },
  'CALL-51': null,
  'CALL-52': null,
  'CALL-53': null,
  'CALL-54': { input: { state: 1 }, nobodys: true },
  'CALL-55': null,
  'CALL-56': { input: SEARCH_FEEDBACK },
  'CALL-57': null,
  'CALL-58': { input: {}, params: { collection_id: 'home_a' } },
  'CALL-07': { input: { ...CANCELLATION_INPUT, intent: 'intent_of_staying_on' }, params: { billing_provider: 'card' } },
  'CALL-09': { input: { ...CANCELLATION_INPUT, way: 'end', reason: null }, params: { billing_provider: 'card' } },
  'CALL-15': null,
  'EXT-activity': null,
  'EXT-messages': null,
  'EXT-see-messages': { input: { message_ids: ['message_a'] }, leavesOut: true },
  'EXT-account-leave': null,
  'EXT-feed-ticket': null,
  'EXT-snapshot': { input: { device_id: 'door_a' } },
  'EXT-review': { input: { event_ids: ['event_a'] } },
  'EXT-timeline': { input: { device_ids: ['door_a'], begin_time: 0, end_time: 10 } },
  'EXT-export': { input: { files: [{ event_id: 'event_a', name: 'Door.mp4' }] } },
  'EXT-take-size': null,
  'EXT-take': { input: { zone: 'UTC' } },
  'EXT-events-delete': { input: { event_ids: ['spare_event_a'] } },
  'EXT-events-restore': { input: { event_ids: ['deleted_event_a'] } },
  'EXT-retention': null,
  'EXT-storage': null,
  'EXT-set-storage-limits': { input: { device_id: 'door_a', max_bytes: null, max_days: 30, preview: false } },
  'EXT-bridge-code': null,
  'EXT-bridges': null,
  'EXT-camera-door': null,
  'EXT-camera-ask': {
    input: { bridge_id: 'bridge_a', sealed: { nonce: 'n'.repeat(22), page_key: 'k'.repeat(87), box: 'box' } },
  },
  'EXT-camera-answers': { input: { bridge_id: 'bridge_a', ask_id: 'ask_a', after: 0 } },
  'EXT-bridge-rename': { input: { bridge_id: 'bridge_a', name: 'Attic' } },
  'EXT-bridge-revoke': { input: { bridge_id: 'spare_a' } },
  'EXT-camera-power': { input: { device_id: 'door_a', on: true } },
  'EXT-camera-settings': { input: { device_id: 'door_a' } },
  'EXT-set-camera-settings': { input: { device_id: 'door_a', settings: DEFAULT_CAMERA_SETTINGS } },
  'EXT-try-motion': { input: { device_id: 'door_a', settings: DEFAULT_CAMERA_SETTINGS } },
  'EXT-camera-places': { input: { device_id: 'door_a' } },
  'EXT-set-camera-places': { input: { device_id: 'door_a', places: ['front', 'outside'] } },
  'EXT-camera-rename': { input: { device_id: 'door_a', nickname: 'Door' } },
  'EXT-people': null,
  'EXT-recognition': { input: { home_id: 'home_a', on: true, guests: false } },
  'EXT-person-name': { input: { home_id: 'home_a', person_id: 'person_1', name: 'Dan' } },
  'EXT-person-hide': { input: { home_id: 'home_a', person_id: 'person_1', hidden: false } },
  'EXT-person-merge': { input: { home_id: 'home_a', person_id: 'person_3', into: 'person_1' } },
  'EXT-person-split': { input: { home_id: 'home_a', person_id: 'person_2' } },
  'EXT-person-different': {
    input: { home_id: 'home_a', person_id: 'person_1', other_id: 'person_4', different: true },
  },
  'EXT-people-forget': { input: { home_id: 'home_a', person_ids: ['person_4'] } },
  'EXT-live-layouts': null,
  'EXT-set-live-layouts': { input: { layouts: [] }, nobodys: true },
  'EXT-t3-list': { input: { joined: true }, nobodys: true },
  'EXT-time-zone': { input: { time_zone: 'Europe/Berlin', replace: true }, nobodys: true },
  'EXT-camera-order': { input: { device_ids: ['door_a'] } },
  'EXT-camera-remove': { input: { device_id: 'gone_a' } },
  'EXT-camera-states': { input: { device_id: 'door_a', begin_time: 0, end_time: 1 } },
  'EXT-share': { input: { device_id: 'door_a', email: 'guest@example.com', role: 2 } },
  'EXT-auto-cover': null,
  'EXT-set-auto-cover': { input: { on: true, intent: 'intent_of_a_choice' }, nobodys: true },
  'EXT-shares': null,
  'EXT-plan-truth': null,
  'EXT-book': null,
  'EXT-unshare': { input: { device_id: 'door_a', email: 'guest@example.com' } },
}
