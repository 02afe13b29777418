// The part of the package BouncyCastle.Cryptography that receivers use, over OpenSSL: the tests use no NuGet.

using System;
using System.Runtime.InteropServices;

namespace Org.BouncyCastle.Crypto.Parameters
{
    public sealed class Ed25519PublicKeyParameters
    {
        public readonly byte[] Raw;

        public Ed25519PublicKeyParameters(byte[] raw)
        {
            if (raw.Length != 32)
            {
                throw new ArgumentException("must have length 32");
            }
            Raw = raw;
        }
    }
}

namespace Org.BouncyCastle.Crypto.Signers
{
    using Org.BouncyCastle.Crypto.Parameters;

    public sealed class Ed25519Signer
    {
        private const string Library = "libcrypto.so.3";
        private const int KeyType = 1087;
        private byte[] key;
        private byte[] message;

        [DllImport(Library)]
        private static extern IntPtr EVP_PKEY_new_raw_public_key(int type, IntPtr engine, byte[] key, UIntPtr length);

        [DllImport(Library)]
        private static extern IntPtr EVP_MD_CTX_new();

        [DllImport(Library)]
        private static extern int EVP_DigestVerifyInit(
            IntPtr context, IntPtr keyContext, IntPtr digest, IntPtr engine, IntPtr key);

        [DllImport(Library)]
        private static extern int EVP_DigestVerify(
            IntPtr context, byte[] signature, UIntPtr length, byte[] message, UIntPtr messageLength);

        public void Init(bool forSigning, Ed25519PublicKeyParameters parameters)
        {
            key = forSigning ? null : parameters.Raw;
        }

        public void BlockUpdate(byte[] bytes, int start, int length)
        {
            message = new byte[length];
            Array.Copy(bytes, start, message, 0, length);
        }

        public bool VerifySignature(byte[] signature)
        {
            IntPtr loaded = EVP_PKEY_new_raw_public_key(KeyType, IntPtr.Zero, key, (UIntPtr)key.Length);
            IntPtr context = EVP_MD_CTX_new();
            if (EVP_DigestVerifyInit(context, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, loaded) != 1)
            {
                throw new InvalidOperationException("OpenSSL does not take the key");
            }
            return EVP_DigestVerify(
                context, signature, (UIntPtr)signature.Length, message, (UIntPtr)message.Length) == 1;
        }
    }
}
