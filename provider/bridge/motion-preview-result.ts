import type { MotionTrial } from '../../contract/cameras/camera-settings.ts'

export type TrialAnswer = ({ state: 'tried' } & MotionTrial) | { state: 'bridge_off' | 'no_answer' }
