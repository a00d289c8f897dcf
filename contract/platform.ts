import { later } from './call.ts'

export const confAndSetting = later('CALL-32', 'GET', '/platform/v1/conf_and_setting', 'platform')
export const setCameraListFilter = later('CALL-33', 'POST', '/platform/v1/setting/CameraListFilter', 'platform')
export const supportDevices = later('CALL-34', 'GET', '/platform/v1/get_support_device_with_category', 'platform', {
  nonce: true,
})
export const deviceModels = later('CALL-35', 'GET', '/platform/v1/devices', 'platform')
