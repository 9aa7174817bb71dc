// The libraries of the app without Postern: what a compiler says of their declarations is no fault of Postern's.
export { createTRPCClient } from '@trpc/client';
export { notFound } from 'next/navigation';
export { NextResponse } from 'next/server';
export { useState } from 'react';
