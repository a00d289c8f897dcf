import type { MotionTrial } from '../../contract/bridge.ts'

export type TrialAnswer = ({ state: 'tried' } & MotionTrial) | { state: 'bridge_off' | 'no_answer' }
