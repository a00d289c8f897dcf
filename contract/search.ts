import { later } from './call.ts'

export const search = later('CALL-46', 'POST', '/search', 'ai-video-search')
export const searchHistory = later('CALL-47', 'GET', '/search_history', 'ai-video-search')
export const deleteSearchHistory = later('CALL-48', 'POST', '/search_history/batch_delete', 'ai-video-search')
export const deleteSearchHistoryEntry = later('CALL-49', 'DELETE', '/search_history/{query_id}', 'ai-video-search')
export const recommendation = later('CALL-50', 'GET', '/recommendation', 'ai-video-search')
export const onboardingRegister = later('CALL-51', 'POST', '/onboarding/register', 'gateway', { nonce: true })
export const onboardingStatus = later('CALL-52', 'GET', '/onboarding/status', 'gateway')
export const getInstructionState = later('CALL-53', 'GET', '/onboarding/instruction_state', 'gateway', { nonce: true })
export const setInstructionState = later('CALL-54', 'POST', '/onboarding/instruction_state', 'gateway', { nonce: true })
export const feedbackCategory = later('CALL-55', 'GET', '/feedback_category', 'ai-video-search')
export const searchFeedback = later('CALL-56', 'POST', '/feedback', 'ai-video-search', { nonce: true })
