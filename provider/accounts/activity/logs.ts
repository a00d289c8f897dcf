export const getUserLogName = (userId: string): string => `user:${userId}`
export const getHomeLogName = (homeId: string): string => `home:${homeId}`
